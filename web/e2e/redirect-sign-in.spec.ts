import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { password, texts } from './person'

const en = texts('en')
const root = fileURLToPath(new URL('../..', import.meta.url))
const label = 'Lantern House'

// a product and a real issuer of their own: the other journeys know no issuer
let site = ''
let folder = ''
const started: ChildProcess[] = []

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const instance = (id: string, kind: string, provider: string, settings: string) =>
  `[[instances]]\nid = "${id}"\nkind = "${kind}"\nprovider = "${provider}"\nlabel = "${id === 'lantern' ? label : id}"\nsettings = { ${settings} }\n`

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok
  } catch {
    return false
  }
}

test.beforeAll(async () => {
  test.setTimeout(120_000)
  const [port, issuerPort] = [await freePort(), await freePort()]
  site = `http://127.0.0.1:${port}`
  const issuer = `http://127.0.0.1:${issuerPort}`
  folder = mkdtempSync(join(tmpdir(), 'coverwright-e2e-issuer-'))
  const settings = `issuer = "${issuer}", client_id = "coverwright", client_secret = "a secret: with + and / in it"`
  writeFileSync(
    join(folder, 'site.toml'),
    [
      instance('atelier', 'image', 'atelier', ''),
      instance('disk', 'storage', 'disk', ''),
      instance('password', 'signin', 'password', ''),
      instance('lantern', 'signin', 'oidc', settings),
      '[routes]\nimage = ["atelier"]\nstorage = ["disk"]\nsignin = ["password", "lantern"]\nemail = []\npayment = []\n',
    ].join('\n'),
  )
  const issuerScript = join(root, 'tests/vendors/issuer.mjs')
  started.push(
    spawn(process.execPath, [issuerScript, String(issuerPort), `${site}/api/auth/lantern/return`, `${site}/`], {
      cwd: root,
      stdio: 'ignore',
    }),
    spawn(join(root, '.venv/bin/coverwright'), ['run'], {
      cwd: root,
      stdio: 'ignore',
      env: {
        ...process.env,
        PORT: String(port),
        COVERWRIGHT_DATA: join(folder, 'data'),
        COVERWRIGHT_CONFIG: join(folder, 'site.toml'),
        COVERWRIGHT_PUBLIC_URL: site,
        COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${issuerPort}`,
      },
    }),
  )
  for (const address of [`${issuer}/.well-known/openid-configuration`, `${site}/readyz`])
    await expect.poll(() => answers(address), { timeout: 60_000 }).toBe(true)
})

test.afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null) continue
    const ended = new Promise((end) => child.once('exit', end))
    child.kill('SIGINT')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])
}

/** Signs in at the issuer's own pages and agrees to everything. */
async function atTheIssuer(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const continueThere = (page: Page) => page.getByRole('link', { name: `Continue with ${label}` }).click()
const signedInAs = async (page: Page) => (await (await page.request.get(`${site}/api/auth/user`)).json()).email

test('somebody new comes in through the issuer and lands where they wanted to go', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))
  await page.goto(`${site}/sign-in?redirect=%2Fgallery`)
  await continueThere(page)
  await atTheIssuer(page, 'ada')
  await expect(page).toHaveURL(`${site}/gallery`)
  expect(await signedInAs(page)).toBe('ada@example.com')
  const cookies = await page.context().cookies(site)
  expect(cookies.find(({ name }) => name === 'coverwright')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  expect(cookies.find(({ name }) => name === 'coverwright_tx')).toBeUndefined()
  expect(complaints).toEqual([])
})

test('an account with a password is connected once its owner has signed in', async ({ page, browser }) => {
  const account = { email: 'bob@example.com', password }
  expect((await page.request.post(`${site}/api/auth/register`, { data: account })).status()).toBe(201)
  await page.request.post(`${site}/api/auth/sign-out`)
  await page.goto(`${site}/sign-in?redirect=%2Fgallery`)
  await continueThere(page)
  await atTheIssuer(page, 'bob')
  await expect(page.getByRole('alert')).toHaveText(en('errors.code.link_required'))
  await accessible(page)
  await page.getByLabel(en('auth.email')).fill(account.email)
  await page.getByLabel(en('auth.password'), { exact: true }).fill(password)
  await page
    .getByRole('main')
    .getByRole('button', { name: en('auth.signIn') })
    .click()
  await expect(page.getByRole('heading', { name: `Connect ${label}` })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await accessible(page)
  await page.getByRole('link', { name: `Connect ${label}` }).click()
  await expect(page).toHaveURL(`${site}/gallery`)

  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await other.goto(`${site}/sign-in`)
  await continueThere(other)
  await atTheIssuer(other, 'bob')
  await expect(other).toHaveURL(`${site}/`)
  expect(await signedInAs(other)).toBe(account.email)
  await elsewhere.close()
})

test('who turns back at the issuer is told so and can try again', async ({ page }) => {
  await page.goto(`${site}/sign-in?redirect=%2Fgallery`)
  await continueThere(page)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toHaveText(en('errors.code.sign_in_denied'))
  await continueThere(page)
  await atTheIssuer(page, 'carol')
  await expect(page).toHaveURL(`${site}/gallery`)
})
