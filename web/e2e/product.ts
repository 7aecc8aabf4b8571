import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Instance = {
  id: string
  kind: string
  provider: string
  label?: string
  settings?: string
  /** It is there, but nothing is asked of it. */
  idle?: true
}

const kinds = ['image', 'storage', 'signin', 'email', 'payment']

/** What a site file says that has these instances and no others, each kind in this order. */
export function declared(instances: readonly Instance[]): string {
  const tables = instances.map(
    ({ id, kind, provider, label = id, settings = '' }) =>
      `[[instances]]\nid = "${id}"\nkind = "${kind}"\nprovider = "${provider}"\nlabel = "${label}"\nsettings = { ${settings} }`,
  )
  const routes = kinds.map((kind) => {
    const ids = instances.filter((instance) => instance.kind === kind && !instance.idle).map(({ id }) => id)
    return `${kind} = ${JSON.stringify(ids)}`
  })
  return [...tables, '[routes]', ...routes, ''].join('\n')
}

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
  await expect.poll(answers, { timeout: 60_000, intervals: [100] }).toBe(true)
}

/** The product as it is run, with data, a port and a site file of its own, and what runs beside it. */
export class Product {
  readonly url: string
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'coverwright-e2e-'))
  readonly #running: ChildProcess[] = []

  private constructor(host: string, port: number) {
    this.#port = port
    mkdirSync(this.stub)
    this.url = `http://${host}:${port}`
  }

  /** Chooses the address; nothing runs yet. Without https, browsers have passkeys at the host `localhost` only. */
  static async reserve(host: '127.0.0.1' | 'localhost' = '127.0.0.1'): Promise<Product> {
    return new Product(host, await freePort())
  }

  /** Tells the stub that makes covers what to do, see tests/stub_image. */
  get stub(): string {
    return join(this.#folder, 'stub')
  }

  /** Has covers wait at the stub until `release`. */
  hold(): void {
    rmSync(join(this.stub, 'release'), { force: true })
    writeFileSync(join(this.stub, 'mode'), 'hold')
  }

  /** Has covers wait likewise, and the stub show pictures on the way. */
  holdAndShow(): void {
    rmSync(join(this.stub, 'previews'), { force: true, recursive: true })
    mkdirSync(join(this.stub, 'previews'))
    this.hold()
    writeFileSync(join(this.stub, 'mode'), 'shows')
  }

  /** Shows a picture of the covers that wait, as they are so far. */
  show(picture: Buffer): void {
    const place = join(this.stub, 'previews', String(performance.now()).padStart(24, '0'))
    writeFileSync(place, picture)
    renameSync(place, `${place}.shown`)
  }

  /** Has the covers made that wait, and those that come. */
  release(): void {
    writeFileSync(join(this.stub, 'release'), '')
  }

  /** Sets how far the product's clock is ahead of ours. */
  advance(minutes: number): void {
    writeFileSync(this.clock, String(minutes * 60))
  }

  /** Holds how far the product's clock is ahead, in seconds. */
  get clock(): string {
    return join(this.#folder, 'clock')
  }

  /** What the launcher leaves for an operator who did not see the link, until it is used. */
  get setupToken(): string {
    return readFileSync(join(this.#folder, 'data', 'setup-token'), 'utf8').trim()
  }

  /** The messages that the outbox keeps, as they would go over the wire. */
  letters(): string[] {
    const kept = join(this.#folder, 'data')
    const files = readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.eml'))
    return files.map((name) => readFileSync(join(kept, name), 'utf8'))
  }

  /** Takes a process along that is to end with the product. */
  beside<Child extends ChildProcess>(child: Child): Child {
    this.#running.push(child)
    return child
  }

  /** Starts the product on a site file, and waits until it has greeted. */
  async start(site: string, more: Record<string, string>): Promise<void> {
    const [file, log] = [join(this.#folder, 'site.toml'), join(this.#folder, 'log')]
    writeFileSync(file, site)
    const env = {
      ...process.env,
      PORT: String(this.#port),
      COVERWRIGHT_DATA: join(this.#folder, 'data'),
      COVERWRIGHT_CONFIG: file,
      COVERWRIGHT_PUBLIC_URL: this.url,
      ...more,
    }
    const output = openSync(log, 'a')
    const stdio = ['ignore' as const, output, output]
    const launcher = this.beside(spawn(join(root, '.venv/bin/coverwright'), ['run'], { cwd: root, stdio, env }))
    closeSync(output)
    const said = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
    const greeted = () => (launcher.exitCode === null ? said().includes('Press Ctrl-C to stop.') : said())
    await expect.poll(greeted, { timeout: 60_000, intervals: [100] }).toBe(true)
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
