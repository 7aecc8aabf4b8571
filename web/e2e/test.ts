import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type APIRequestContext, type Browser, type BrowserContext, type Page, test as plain } from '@playwright/test'
import { admin } from './person'
import { declared, freePort, Product, ready, root } from './product'

/** A product, and where the stand-in for Stripe or Paddle answers if it sells through one. */
export type Site = { product: Product; stripe: string; paddle?: string; comfyui?: string }

/**
 * The product as it comes, with an administrator and room for everybody who signs up. Its covers come at once, and in one
 * colour, from a stub.
 */
async function ordinary(
  product: Product,
  bank = '',
  till = { id: 'sandbox', kind: 'payment', provider: 'sandbox', label: 'Sandbox', settings: bank },
  env: Record<string, string> = {},
): Promise<Site> {
  const room = '[plans]\nfree_monthly_limit = 40\n\n[accounts]\nregistrations_per_address = 1000\n\n'
  const stub = `control = "${product.stub}", deadline_s = 60.0, previews = true`
  const site = declared([
    { id: 'stub', kind: 'image', provider: 'stub', label: 'Stub', settings: stub },
    { id: 'atelier', kind: 'image', provider: 'atelier', label: 'Atelier', idle: true },
    { id: 'disk', kind: 'storage', provider: 'disk', label: 'Data folder' },
    { id: 'password', kind: 'signin', provider: 'password', label: 'Email and password' },
    { id: 'outbox', kind: 'email', provider: 'outbox', label: 'Outbox' },
    till,
  ])
  product.advance(0)
  await product.start(room + site, {
    COVERWRIGHT_ENV: 'test',
    COVERWRIGHT_CLOCK_FILE: product.clock,
    COVERWRIGHT_EXTRA_PLUGINS: 'tests.stub_image',
    COVERWRIGHT_TEST_SHORTCUTS: '1',
    PYTHONPATH: root,
    COVERWRIGHT_ADMIN_EMAIL: admin.email,
    COVERWRIGHT_ADMIN_PASSWORD: admin.password,
    ...env,
  })
  return { product, stripe: '' }
}

/**
 * A product that nobody has set up yet, whose covers the atelier draws, where people may sign in at a real issuer,
 * `Lantern House`, and pay at a stand-in for Stripe. One for OpenAI changes pictures. The others know nothing of these.
 */
async function withVendors(product: Product): Promise<Site> {
  const till = product.beside(
    spawn(join(root, '.venv/bin/python'), ['-m', 'tests.vendors.stripe_site'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  )
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const script = join(root, 'tests/vendors/issuer.mjs')
  const returns = [`${product.url}/api/auth/lantern/return`, `${product.url}/`]
  product.beside(spawn(process.execPath, [script, String(port), ...returns], { cwd: root, stdio: 'ignore' }))
  const painter = product.beside(
    spawn(join(root, '.venv/bin/python'), ['-m', 'tests.vendors.openai_site'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  )
  const addressOf = (child: typeof till) =>
    new Promise<string>((told) => child.stdout.once('data', (line) => told(String(line).trim())))
  const [stripe, openai] = await Promise.all([addressOf(till), addressOf(painter)])
  await ready(`${issuer}/.well-known/openid-configuration`)
  const lantern = `issuer = "${issuer}", client_id = "coverwright", client_secret = "a secret: with + and / in it"`
  const keys = `secret_key = "sk_test_51Kit", publishable = "pk_test_51Kit", api_url = "${stripe}"`
  const site = declared([
    { id: 'atelier', kind: 'image', provider: 'atelier' },
    {
      id: 'openai',
      kind: 'image',
      provider: 'openai',
      settings: `api_key = "sk-test-works", base_url = "${openai}/v1"`,
    },
    { id: 'disk', kind: 'storage', provider: 'disk' },
    { id: 'password', kind: 'signin', provider: 'password' },
    { id: 'lantern', kind: 'signin', provider: 'oidc', label: 'Lantern House', settings: lantern },
    { id: 'till', kind: 'payment', provider: 'stripe', settings: keys },
  ])
  const homes = [issuer, stripe, openai].map((address) => new URL(address).host).join(',')
  const room = '[plans]\nfree_monthly_limit = 2\n\n'
  await product.start(room + site, { COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES: homes })
  return { product, stripe }
}

/** The same, where the sandbox asks buyers where they are. */
const withTaxes = (product: Product) =>
  ordinary(product, 'taxes = true, seller = "Lantern House", letterhead = "1 Long Lane\\nLondon N1"')

/** The same, where the form of the sandbox is a script of its plugin's. */
const withScript = (product: Product) => ordinary(product, 'form = "script"')

/** The same, but people pay at a stand-in for Paddle. */
async function withPaddle(product: Product): Promise<Site> {
  const vendor = product.beside(
    spawn(join(root, '.venv/bin/python'), ['-m', 'tests.vendors.paddle_site'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  )
  const paddle = await new Promise<string>((told) => vendor.stdout.once('data', (line) => told(String(line).trim())))
  const settings = `api_key = "pdl_sdbx_apikey_kit", publishable = "test_kit", base_url = "${paddle}"`
  const till = { id: 'paddle', kind: 'payment', provider: 'paddle', label: 'Paddle', settings }
  const site = await ordinary(product, '', till, { COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES: new URL(paddle).host })
  return { ...site, paddle }
}

/** The same, with a plugin that brings pages, and a ComfyUI on which somebody has run a workflow. */
async function withPages(product: Product): Promise<Site> {
  const vendor = product.beside(
    spawn(join(root, '.venv/bin/python'), ['-m', 'tests.vendors.comfyui_site'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  )
  const comfyui = await new Promise<string>((told) => vendor.stdout.once('data', (line) => told(String(line).trim())))
  const site = await ordinary(product, '', undefined, {
    COVERWRIGHT_EXTRA_PLUGINS: 'tests.stub_image,tests.stub_pages',
    COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES: new URL(comfyui).host,
  })
  return { ...site, comfyui }
}

const starts = {
  ordinary: (product: Product) => ordinary(product),
  withVendors,
  withPasskeys: (product: Product) => ordinary(product),
  withTaxes,
  withScript,
  withPaddle,
  withPages,
}

export type Sites = { kind: keyof typeof starts; site: Site }
type Devices = { own: BrowserContext; second: BrowserContext }
type People = { elsewhere: Page }

/**
 * A page in a browser that knows nobody. What it fetched and compiled before is kept: a page costs a third then.
 */
async function fresh(device: BrowserContext, origin: string): Promise<Page> {
  await Promise.all(device.pages().map((page) => page.close()))
  await device.clearCookies()
  const page = await device.newPage()
  const session = await device.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
  return page
}

/** Has requests sent again that meet the moment when the server closes what was idle, after half a minute. */
function insist(request: APIRequestContext): void {
  const fetch = request.fetch.bind(request)
  request.fetch = (address, options) => fetch(address, { maxRetries: 2, ...options })
}

const device = async (
  { browser, site }: { browser: Browser; site: Site },
  use: (one: BrowserContext) => Promise<void>,
) => {
  const context = await browser.newContext({ baseURL: site.product.url })
  insist(context.request)
  await use(context)
  await context.close()
}

/** A test on a product that belongs to its worker alone: addresses without a host are that product's. */
export const test = plain.extend<People, Sites & Devices>({
  kind: ['ordinary', { scope: 'worker', option: true }],
  site: [
    async ({ kind }, use) => {
      const product = await Product.reserve(kind === 'withPasskeys' ? 'localhost' : '127.0.0.1')
      try {
        await use(await starts[kind](product))
      } finally {
        await product.stop()
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  own: [device, { scope: 'worker' }],
  second: [device, { scope: 'worker' }],
  baseURL: ({ site }, use) => use(site.product.url),
  context: ({ own }, use) => use(own),
  page: async ({ own, site }, use) => use(await fresh(own, site.product.url)),
  // for somebody else, who has a browser of their own
  elsewhere: async ({ second, site }, use) => use(await fresh(second, site.product.url)),
})

export { expect, type Page } from '@playwright/test'
