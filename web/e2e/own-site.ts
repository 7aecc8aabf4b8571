import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Instance = { id: string; kind: string; provider: string; label?: string; settings?: string }

const ordinary: readonly Instance[] = [
  { id: 'atelier', kind: 'image', provider: 'atelier' },
  { id: 'disk', kind: 'storage', provider: 'disk' },
  { id: 'password', kind: 'signin', provider: 'password' },
]
const kinds = ['image', 'storage', 'signin', 'email', 'payment']

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Resolves when an address answers. */
export async function ready(address: string): Promise<void> {
  const answers = async () => {
    try {
      return (await fetch(address)).ok
    } catch {
      return false
    }
  }
  await expect.poll(answers, { timeout: 60_000 }).toBe(true)
}

/** A product of its own, for journeys that need other providers than the common one has, and what runs beside it. */
export class OwnSite {
  readonly url: string
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'coverwright-e2e-'))
  readonly #running: ChildProcess[] = []

  private constructor(port: number) {
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
  }

  /** Chooses the address; nothing runs yet. */
  static async reserve(): Promise<OwnSite> {
    return new OwnSite(await freePort())
  }

  /** Takes a process along that is to end with the site. */
  beside<Child extends ChildProcess>(child: Child): Child {
    this.#running.push(child)
    return child
  }

  /** Starts the product with one more instance, whose vendor (`host:port`) it may speak to. */
  async start(more: Instance, vendor: string): Promise<void> {
    const instances = [...ordinary, more]
    const declared = instances.map(
      ({ id, kind, provider, label = id, settings = '' }) =>
        `[[instances]]\nid = "${id}"\nkind = "${kind}"\nprovider = "${provider}"\nlabel = "${label}"\nsettings = { ${settings} }`,
    )
    const routes = kinds.map((kind) => {
      const ids = instances.filter((instance) => instance.kind === kind).map(({ id }) => id)
      return `${kind} = ${JSON.stringify(ids)}`
    })
    const file = join(this.#folder, 'site.toml')
    writeFileSync(file, [...declared, '[routes]', ...routes, ''].join('\n'))
    const env = {
      ...process.env,
      PORT: String(this.#port),
      COVERWRIGHT_DATA: join(this.#folder, 'data'),
      COVERWRIGHT_CONFIG: file,
      COVERWRIGHT_PUBLIC_URL: this.url,
      COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES: vendor,
    }
    this.beside(spawn(join(root, '.venv/bin/coverwright'), ['run'], { cwd: root, stdio: 'ignore', env }))
    await ready(`${this.url}/readyz`)
  }

  /** Ends all that runs, the product first, and removes its data. */
  async stop(): Promise<void> {
    for (const child of this.#running.reverse()) {
      if (child.exitCode !== null) continue
      const ended = new Promise((end) => child.once('exit', end))
      child.kill('SIGINT')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
