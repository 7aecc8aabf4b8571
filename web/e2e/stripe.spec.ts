import { accessible } from './accessible'
import { password, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')

let site = ''
let vendor = ''

test.beforeAll(({ site: { product, stripe } }) => {
  site = product.url
  vendor = stripe
})

/** What the reader does in Stripe's form and at the bank. */
type Behaviour = 'pays' | 'declined' | 'declined, then pays' | 'window of the bank' | 'page of the bank'

/**
 * Stands in for Stripe's script: draws a form, and confirms as told. What it was asked to confirm is kept in
 * `window.confirmed`.
 */
function script(behaviour: Behaviour): string {
  return `(() => {
    let tries = 0
    window.confirmed = []
    const pay = (secret) => window.payInTheBrowser(secret)
    const confirm = (kind, secret) => async ({ confirmParams, redirect }) => {
      tries += 1
      window.confirmed.push({ kind, secret, redirect, ...confirmParams })
      const behaviour = ${JSON.stringify(behaviour)}
      const declined = behaviour === 'declined' || (behaviour === 'declined, then pays' && tries === 1)
      if (declined) return { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } }
      if (behaviour === 'window of the bank' && !window.confirm('Do you agree?'))
        return { error: { type: 'card_error', code: 'authentication', message: 'We are unable to authenticate your payment method.' } }
      await pay(secret)
      if (behaviour === 'page of the bank') {
        const back = new URL(confirmParams.return_url)
        back.searchParams.set('payment_intent', secret.split('_secret_')[0])
        back.searchParams.set('payment_intent_client_secret', secret)
        back.searchParams.set('redirect_status', 'succeeded')
        window.location.assign(back)
        return new Promise(() => {})
      }
      return { paymentIntent: { status: 'succeeded' } }
    }
    window.Stripe = Object.assign((key) => {
      window.stripeKey = key
      let secret = ''
      const element = () => {
        const listeners = {}
        return {
          on(event, listener) { (listeners[event] ??= []).push(listener); return this },
          off() { return this }, once() { return this }, update() {}, destroy() {}, unmount() {}, focus() { window.focused = true },
          mount(place) {
            const target = typeof place === 'string' ? document.querySelector(place) : place
            target.innerHTML = '<label>Card details <input name="stripe"></label>'
            setTimeout(() => (listeners.ready ?? []).forEach((tell) => tell({ elementType: 'payment' })))
          },
        }
      }
      const stripe = {
        elements(options) {
          secret = options.clientSecret
          window.stripeOptions = options
          return { create: element, getElement: () => null, update() {}, submit: async () => ({}), on() {}, off() {} }
        },
        createToken() {}, createPaymentMethod() {}, confirmCardPayment() {}, registerAppInfo() {}, _registerWrapper() {},
        confirmPayment: (call) => confirm('payment', secret)(call),
        confirmSetup: (call) => confirm('setup', secret)(call),
      }
      return stripe
    }, { version: 'stub' })
  })()`
}

type Confirmed = { kind: string; secret: string; redirect: string; return_url: string; payment_method_data: object }

/** A reader of their own on the upgrade page, where Stripe's script does as told. */
async function atTheTill(page: Page, behaviour: Behaviour): Promise<{ email: string; complaints: string[] }> {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script(behaviour) }),
  )
  await page.exposeFunction('payInTheBrowser', async (secret: string) => {
    await fetch(`${vendor}/browser/pay`, { method: 'POST', body: JSON.stringify({ secret }) })
  })
  const email = `buyer-${process.pid}-${Date.now()}@example.com`
  const made = await page.request.post(`${site}/api/auth/register`, { data: { email, password } })
  expect(made.status()).toBe(201)
  await page.goto(`${site}/subscribe`)
  return { email, complaints }
}

const subscribe = (page: Page) => page.getByRole('button', { name: en('checkout.card.subscribe'), exact: true }).click()
const pay = (page: Page) => page.getByRole('button', { name: 'Pay $19' })
const welcome = (page: Page) => page.getByText(en('checkout.welcome.title'), { exact: true })
const isPro = async (page: Page) => (await (await page.request.get(`${site}/api/auth/user`)).json()).isPro

test('Stripe’s script comes with its form and not before, and a card pays', async ({ page }) => {
  const { email, complaints } = await atTheTill(page, 'pays')
  await expect(page.getByText(en('payments.sandbox.notice.title'))).toHaveCount(0)
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).host))
  await page.goto(`${site}/`)
  await page.getByRole('link', { name: en('nav.subscribe') }).click()
  await expect(page.getByRole('heading', { name: en('checkout.title') })).toBeVisible()
  expect(fetched).not.toContain('js.stripe.com')
  // only the pages where people pay may run it, each in a document of its own
  const policyOf = async (path: string) =>
    (await page.request.get(`${site}${path}`)).headers()['content-security-policy']
  expect(await policyOf('/subscribe')).toContain('https://js.stripe.com')
  expect(await policyOf('/')).not.toContain('stripe')
  await subscribe(page)
  await expect(page.getByLabel('Card details')).toBeVisible()
  expect(fetched).toContain('js.stripe.com')
  await accessible(page)
  await expect(pay(page)).toBeEnabled()
  await pay(page).click()
  await expect(welcome(page)).toBeVisible()
  await expect(page).toHaveURL(`${site}/gallery`)
  expect(await isPro(page)).toBe(true)
  expect(await page.evaluate('window.stripeKey')).toBe('pk_test_51Kit')
  expect(await page.evaluate('window.focused')).toBe(true)
  const [confirmed] = (await page.evaluate('window.confirmed')) as Confirmed[]
  expect(confirmed).toMatchObject({
    kind: 'payment',
    redirect: 'if_required',
    return_url: `${site}/gallery`,
    payment_method_data: { billing_details: { email } },
  })
  expect(complaints).toEqual([])
})

test('a card that Stripe declines is told in Stripe’s words, and the next try pays', async ({ page }) => {
  await atTheTill(page, 'declined, then pays')
  await subscribe(page)
  await pay(page).click()
  const told = page.locator('[data-variant="destructive"]')
  await expect(told).toContainText('Your card was declined.')
  expect(await isPro(page)).toBe(false)
  await pay(page).click()
  await expect(welcome(page)).toBeVisible()
  expect(await isPro(page)).toBe(true)
})

test('a payment is confirmed at the bank, in a window of Stripe’s', async ({ page }) => {
  await atTheTill(page, 'window of the bank')
  await subscribe(page)
  page.once('dialog', (dialog) => dialog.dismiss())
  await pay(page).click()
  await expect(page.locator('[data-variant="destructive"]')).toContainText('unable to authenticate')
  expect(await isPro(page)).toBe(false)
  page.once('dialog', (dialog) => dialog.accept())
  await pay(page).click()
  await expect(welcome(page)).toBeVisible()
})

test('whoever comes back from a page of the bank is Pro, and the address is tidy', async ({ page }) => {
  await atTheTill(page, 'page of the bank')
  await subscribe(page)
  await pay(page).click()
  await expect(welcome(page)).toBeVisible()
  await expect(page).toHaveURL(`${site}/gallery`)
  expect(await isPro(page)).toBe(true)
})

test('a second press and a reload pay nothing twice', async ({ page }) => {
  await atTheTill(page, 'pays')
  const begun: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/api/create-subscription')) begun.push((await response.json()).clientSecret)
  })
  await page.getByRole('button', { name: en('checkout.card.subscribe'), exact: true }).dblclick()
  await expect(pay(page)).toBeEnabled()
  await page.reload()
  await subscribe(page)
  await pay(page).dblclick()
  await expect(welcome(page)).toBeVisible()
  expect(begun).toHaveLength(2)
  expect(begun[1]).toBe(begun[0])
  expect(await page.evaluate('window.confirmed.length')).toBe(1)
})

test('an address that claims a payment makes nobody Pro', async ({ page }) => {
  await atTheTill(page, 'declined')
  await page.goto(`${site}/gallery?payment_intent=pi_1&redirect_status=succeeded`)
  await expect(page).toHaveURL(`${site}/gallery`, { timeout: 20_000 })
  await expect(page.getByText(en('checkout.settling.title'), { exact: true })).toBeHidden()
  expect(await isPro(page)).toBe(false)
})

test('without Stripe’s script nothing breaks, and it can be fetched again', async ({ page }) => {
  await atTheTill(page, 'pays')
  await page.unroute('https://js.stripe.com/**')
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  await subscribe(page)
  await expect(page.getByText(en('payments.unloaded.title'))).toBeVisible()
  await page.unroute('https://js.stripe.com/**')
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script('pays') }),
  )
  await page.getByRole('button', { name: en('errors.retry') }).click()
  await expect(pay(page)).toBeEnabled()
})
