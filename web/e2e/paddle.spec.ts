import { accessible } from './accessible'
import { administrator, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')
type Words = (key: string) => string

const PADDLE_JS = 'https://cdn.paddle.com/paddle/v2/paddle.js'
let vendor = ''

/**
 * Stands in for Paddle.js: draws a frame with what a reader does in Paddle's. What it was opened with is kept in
 * `window.opened`.
 */
const SCRIPT = `window.opened = []
window.Paddle = {
  Environment: { set: (name) => { window.paddleEnvironment = name } },
  Initialize: ({ token, eventCallback }) => {
    if (window.tell) throw new Error('Initialize was called twice')
    window.paddleToken = token
    window.tell = eventCallback
  },
  Checkout: {
    open: (wish) => {
      window.opened.push(wish)
      const place = document.getElementsByClassName(wish.settings.frameTarget)[0]
      const act = {
        pay: async () => { await window.payInTheBrowser(wish.transactionId); window.tell({ name: 'checkout.completed' }) },
        decline: () => window.tell({ name: 'checkout.payment.failed' }),
        close: () => window.tell({ name: 'checkout.closed' }),
        lie: () => window.tell({ name: 'checkout.completed' }),
      }
      place.replaceChildren(...Object.entries(act).map(([name, run]) => {
        const button = document.createElement('button')
        button.textContent = 'Paddle: ' + name
        button.addEventListener('click', run)
        return button
      }))
      window.tell({ name: 'checkout.loaded' })
    },
    close: () => window.tell({ name: 'checkout.closed' }),
  },
}`

test.beforeAll(async ({ site: { product, paddle = '' }, browser }) => {
  vendor = paddle
  const page = await browser.newPage({ baseURL: product.url })
  await administrator(page)
  const [{ id, prices }] = await (await page.request.get('/api/admin/paddle/products')).json()
  const price = prices.find((one: { unit_amount: number }) => one.unit_amount === 1900)
  const chosen = await page.request.post('/api/admin/paddle/product', { data: { productId: id, priceId: price.id } })
  expect(chosen.ok(), await chosen.text()).toBe(true)
  await page.close()
})

async function withPaddle(page: Page) {
  await page.exposeFunction('payInTheBrowser', async (transaction: string) => {
    await fetch(`${vendor}/browser/pay`, { method: 'POST', body: JSON.stringify({ transaction }) })
  })
  await page.route(PADDLE_JS, (route) => route.fulfill({ contentType: 'text/javascript', body: SCRIPT }))
}

const subscribe = (page: Page, say: Words) =>
  page.getByRole('button', { name: say('checkout.card.subscribe'), exact: true })
const form = (page: Page) => page.locator('paddle-checkout')
const does = (page: Page, what: string) =>
  form(page)
    .getByRole('button', { name: `Paddle: ${what}`, exact: true })
    .click()
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first()

function refusals(page: Page): string[] {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  return refused
}

test('a reader is declined, leaves, comes back, and becomes Pro through Paddle', async ({ page }) => {
  const refused = refusals(page)
  await withPaddle(page)
  await signedIn(page)
  await page.goto('/subscribe')
  await subscribe(page, en).click()
  await expect(form(page).getByText('Paddle: pay')).toBeVisible()
  await accessible(page)
  expect(await page.evaluate('[window.paddleToken, window.paddleEnvironment]')).toEqual(['test_kit', 'sandbox'])
  await does(page, 'decline')
  await expect(said(page, en('payments.unknown'))).toBeVisible()
  await does(page, 'close')
  await expect(said(page, en('payments.canceled'))).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: en('payments.reopen') }).click()
  await expect(form(page).getByText('Paddle: pay')).toBeVisible()
  const opened = (await page.evaluate('window.opened')) as { transactionId: string }[]
  expect(new Set(opened.map((one) => one.transactionId)).size, 'one payment, however often it is opened').toBe(1)
  await does(page, 'pay')
  await expect(said(page, en('checkout.welcome.title'))).toBeVisible()

  await page.goto('/account')
  await page.getByRole('button', { name: en('account.subscription.card.change') }).click()
  await does(page, 'pay')
  await expect(said(page, en('account.subscription.card.changed'))).toBeVisible()
  expect(refused).toEqual([])
})

test('what a script says is not believed', async ({ page }) => {
  await withPaddle(page)
  await signedIn(page)
  await page.goto('/subscribe')
  await subscribe(page, en).click()
  await does(page, 'lie')
  await expect(form(page)).toBeHidden()
  const answer = await page.request.post('/api/sync-subscription', { data: {} })
  expect(await answer.json()).toEqual({ isPro: false })
})

test('the checkout speaks Arabic from right to left, in the dark, on a narrow screen, and can be tried again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await signedIn(page)
  await page.request.post('/api/set-language', { data: { language: 'ar' } })
  await page.route(PADDLE_JS, (route) => route.abort())
  await page.goto('/ar/subscribe')
  await subscribe(page, ar).click()
  await expect(form(page).getByText(ar('payments.unloaded.title'))).toBeVisible()
  await expect(form(page)).toHaveAttribute('dir', 'rtl')
  await accessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/paddle-failed-ar.png` })
  await page.unroute(PADDLE_JS)
  await withPaddle(page)
  await form(page)
    .getByRole('button', { name: ar('errors.retry') })
    .click()
  await expect(form(page).getByText('Paddle: pay')).toBeVisible()
  const [opened] = (await page.evaluate('window.opened')) as { settings: object }[]
  expect(opened?.settings).toMatchObject({ theme: 'dark', locale: 'ar', displayMode: 'inline' })
  await does(page, 'pay')
  await expect(said(page, ar('checkout.welcome.title'))).toBeVisible()
})
