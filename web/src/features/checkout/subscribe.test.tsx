import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { capabilities } from '@/test/capabilities'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/toast-store'

const start = {
  clientSecret: 'sec_1',
  provider: 'sandbox',
  client: {
    kind: 'sandbox',
    clientSecret: 'sec_1',
    cards: [
      { number: '4242424242424242', outcome: 'succeeds' },
      { number: '4000000000000002', outcome: 'declined' },
    ],
  },
}
const takes = (client: string) => ({ ...capabilities(), payment: { client } })
const pro = { ...reader, isPro: true }

let leave: MockInstance<(url: string | URL) => void>
let logged: MockInstance

beforeEach(() => {
  leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  // the next test must not find what this one said
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** The upgrade page before a server at which Pro begins with the payment. */
function subscribe(answers: Record<string, unknown> = {}) {
  let isPro = false
  return renderApp('/subscribe', {
    'GET /api/auth/user': () => ({ ...reader, isPro }),
    'GET /api/covers': [],
    'GET /api/themes': [],
    'GET /api/capabilities': takes('sandbox'),
    'POST /api/create-subscription': start,
    'POST /api/subscription/pay': { status: 'succeeded' },
    'POST /api/sync-subscription': () => {
      isPro = true
      return { isPro }
    },
    ...answers,
  })
}

const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Subscribe' }))
const fill = async (number = '4242 4242 4242 4242') => {
  await userEvent.type(await screen.findByLabelText('Card number'), number)
  await userEvent.type(screen.getByLabelText('Expiry date'), '12/30')
  await userEvent.type(screen.getByLabelText('Security code'), '123')
}
const pay = () => userEvent.click(screen.getByRole('button', { name: 'Pay $19' }))
const at = (router: ReturnType<typeof renderApp>['router']) => router.state.location.pathname

describe('the upgrade page', () => {
  it('sets the free plan beside Pro, and checkout beside both', async () => {
    renderApp('/subscribe', {
      'GET /api/auth/user': reader,
      'GET /api/plan-limits': { proUnlimited: false, proMonthlyLimit: 40, freeMonthlyLimit: 3 },
      'GET /api/capabilities': takes('elements'),
    })
    const [free, forPro] = (await screen.findAllByRole('article')).map((card) => within(card))
    for (const line of ['Free', '$0/month', '3 covers each month', 'Basic dimensions', 'Standard quality'])
      expect(free?.getByText(line)).toBeVisible()
    for (const line of [
      'Pro',
      '$19/month',
      '40 covers each month',
      'All dimensions and formats',
      'Custom themes and styles',
      'Priority support',
      'High-resolution downloads',
    ])
      expect(forPro?.getByText(line)).toBeVisible()
    const checkout = within(screen.getByRole('region', { name: 'Checkout' }))
    expect(checkout.getByText('$19/month')).toBeVisible()
    expect(checkout.getByRole('button', { name: 'Subscribe' })).toBeEnabled()
    expect(checkout.getByText('Secure checkout')).toBeVisible()
    expect(checkout.getByText('Cancel anytime')).toBeVisible()
    expect(checkout.queryByText('Test payments')).toBeNull()
    await waitFor(() => expect(document.title).toContain('Upgrade to Pro'))
  })

  it.each([
    [{ amount: 1900, currency: 'usd', interval: 'month' }, '$19/month'],
    [{ amount: 1850, currency: 'eur', interval: 'year' }, '18.50 EUR/year'],
    [{ amount: 1900, currency: 'jpy', interval: 'month' }, '1,900 JPY/month'],
    [new Refusal(503, 'Away.'), '$19/month'],
  ])('shows what it costs: %o', async (price, shown) => {
    subscribe({ 'GET /api/admin/selected-price': price })
    const checkout = within(await screen.findByRole('region', { name: 'Checkout' }))
    expect(await checkout.findByText(shown)).toBeVisible()
  })

  it('shows a wheel until it is known who is there', async () => {
    let answer = (_: unknown) => {}
    subscribe({ 'GET /api/auth/user': () => new Promise((resolve) => (answer = resolve)) })
    expect(await screen.findByText('Loading...')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Subscribe' })).toBeNull()
    answer(reader)
    expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeVisible()
  })

  it('sends a visitor to the front page', async () => {
    const { router } = renderApp('/subscribe')
    expect(await screen.findByText('Sign In Required')).toBeVisible()
    expect(screen.getByText('Please sign in to upgrade to Pro')).toBeVisible()
    await waitFor(() => expect(at(router)).toBe('/'))
    expect(await screen.findByRole('heading', { level: 1, name: /waiting for/ })).toBeVisible()
  })

  it('sends a Pro reader to the gallery', async () => {
    const { router, requests } = subscribe({ 'GET /api/auth/user': pro })
    expect(await screen.findByText('Already Subscribed')).toBeVisible()
    expect(screen.getByText("You're already a Pro member!")).toBeVisible()
    await waitFor(() => expect(at(router)).toBe('/gallery'))
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/create-subscription')
  })
})

describe('a purchase', () => {
  it('asks for a secret, then shows the form, and ends in the gallery with a welcome', async () => {
    let answer = (_: unknown) => {}
    const { router, requests } = subscribe({
      'POST /api/create-subscription': () => new Promise((resolve) => (answer = resolve)),
    })
    await press()
    const button = screen.getByRole('button', { name: 'Subscribe' })
    expect(button).toBeDisabled()
    expect(screen.queryByLabelText('Card number')).toBeNull()
    await userEvent.click(button)
    answer(start)
    await fill()
    expect(requests.filter(({ call }) => call === 'POST /api/create-subscription')).toHaveLength(1)
    await pay()
    expect(await screen.findByText('Welcome to Pro!')).toBeVisible()
    expect(at(router)).toBe('/gallery')
    expect(requests).toContainEqual({
      call: 'POST /api/subscription/pay',
      body: {
        clientSecret: 'sec_1',
        card: { number: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' },
        confirmed: false,
      },
    })
    // who the reader is was asked for anew, after the welcome
    const calls = requests.map(({ call }) => call)
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Go Pro' })).toBeNull())
    expect(calls.indexOf('POST /api/sync-subscription')).toBeGreaterThan(calls.indexOf('POST /api/subscription/pay'))
    expect(screen.queryByText('Already Subscribed')).toBeNull()
  })

  it('says that no money moves, and offers the test cards', async () => {
    subscribe()
    expect(await screen.findByText('Test payments')).toBeVisible()
    await press()
    await userEvent.click(await screen.findByRole('button', { name: 'Use the card 4000 0000 0000 0002: Is declined' }))
    expect(screen.getByLabelText('Card number')).toHaveValue('4000 0000 0000 0002')
    expect(screen.getByLabelText('Expiry date')).not.toHaveValue('')
    expect(screen.getByText(/No money moves on this site/)).toBeVisible()
  })

  it('is for what Pro costs by then', async () => {
    const prices = [1900, 2400]
    subscribe({
      'GET /api/admin/selected-price': () => ({ amount: prices.shift(), currency: 'usd', interval: 'month' }),
    })
    const checkout = within(await screen.findByRole('region', { name: 'Checkout' }))
    expect(await checkout.findByText('$19/month')).toBeVisible()
    await press()
    expect(await screen.findByRole('button', { name: 'Pay $24' })).toBeVisible()
    expect(checkout.getByText('$24/month')).toBeVisible()
  })

  it('names everything that is missing from a card', async () => {
    const { requests } = subscribe()
    await press()
    await screen.findByLabelText('Card number')
    await pay()
    expect(await screen.findByText('Enter a card number')).toBeVisible()
    expect(screen.getByText('Enter the expiry date')).toBeVisible()
    expect(screen.getByText('Enter the security code')).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/subscription/pay')
  })

  it('begins a trial without a payment, and says when the first one is due', async () => {
    const firstPayment = Date.UTC(2026, 11, 5, 12) / 1000
    subscribe({
      'POST /api/create-subscription': { ...start, client: { ...start.client, intent: 'setup', firstPayment } },
    })
    await press()
    expect(
      await screen.findByText(
        'Nothing is paid today. The first $19 is due on December 5, 2026, unless you cancel before then.',
      ),
    ).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
    expect(screen.queryByText(/Renews every month/)).toBeNull()
    await fill()
    await userEvent.click(screen.getByRole('button', { name: 'Start free trial' }))
    expect(await screen.findByText('Welcome to Pro!')).toBeVisible()
  })

  it('goes on by the keyboard: into the form, and after a refusal to what is wrong', async () => {
    const answers = [
      { status: 'declined', code: 'expired_card', message: 'Abgelaufen.' },
      { status: 'declined', code: 'incorrect_cvc', message: 'Falsch.' },
      { status: 'declined', code: 'of_the_moon', message: 'The moon is new.' },
    ]
    subscribe({ 'POST /api/subscription/pay': () => answers.shift() })
    await press()
    await waitFor(() => expect(screen.getByLabelText('Card number')).toHaveFocus())
    expect(screen.getByLabelText('Card number')).toHaveAttribute('dir', 'ltr')
    await fill()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByLabelText('Expiry date')).toHaveFocus())
    const button = screen.getByRole('button', { name: 'Pay $19' })
    expect(button).toHaveAccessibleDescription('The card has expired.')
    await userEvent.click(button)
    await waitFor(() => expect(screen.getByLabelText('Security code')).toHaveFocus())
    expect(button).toHaveAccessibleDescription('The security code has three or four digits.')
    await userEvent.click(button)
    await waitFor(() => expect(button).toHaveAccessibleDescription('The moon is new.'))
    expect(button).toHaveFocus()
  })

  it('tells why a card was declined, and takes the next one', async () => {
    const answers = [{ status: 'declined', message: 'The card was declined.' }, { status: 'succeeded' }]
    subscribe({ 'POST /api/subscription/pay': () => answers.shift() })
    await press()
    await fill('4000 0000 0000 0002')
    await pay()
    const [told] = await screen.findAllByText('The card was declined.')
    expect(told).toBeVisible()
    expect(document.querySelector('[data-variant="destructive"]')).toHaveTextContent('The card was declined.')
    await pay()
    expect(await screen.findByText('Welcome to Pro!')).toBeVisible()
  })

  it('asks once more where the bank does', async () => {
    const confirmed: unknown[] = []
    subscribe({
      'POST /api/subscription/pay': (body: { confirmed: boolean }) => {
        confirmed.push(body.confirmed)
        return { status: body.confirmed ? 'succeeded' : 'requires_confirmation' }
      },
    })
    await press()
    await fill()
    await pay()
    await userEvent.click(await screen.findByRole('button', { name: 'Refuse' }))
    expect((await screen.findAllByText('You refused the payment. Nothing was charged.'))[0]).toBeVisible()
    expect(screen.getByLabelText('Card number')).toHaveFocus()
    expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242')
    await pay()
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm payment' }))
    expect(await screen.findByText('Welcome to Pro!')).toBeVisible()
    expect(confirmed).toEqual([false, false, true])
  })

  it('waits a moment for a bank that is slow', async () => {
    const answers = [false, false, true]
    const { router } = subscribe({ 'POST /api/sync-subscription': () => ({ isPro: answers.shift() }) })
    await press()
    await fill()
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    await userEvent
      .setup({ advanceTimers: vi.advanceTimersByTime })
      .click(screen.getByRole('button', { name: 'Pay $19' }))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await screen.findByText('Welcome to Pro!')).toBeVisible()
    expect(at(router)).toBe('/gallery')
    expect(answers).toEqual([])
  })

  it('takes a paid reader to the gallery even when the server cannot be asked', async () => {
    const { router } = subscribe({ 'POST /api/sync-subscription': new Refusal(503, 'Away.') })
    await press()
    await fill()
    await pay()
    expect(await screen.findByText('Your payment is on its way')).toBeVisible()
    expect(at(router)).toBe('/gallery')
    expect(screen.queryByText('Away.')).toBeNull()
    expect(logged).toHaveBeenCalledWith('The subscription could not be synced', expect.anything())
  })

  it('goes to the payment page of a provider that has one of its own', async () => {
    const url = 'https://pay.example/session/1'
    subscribe({
      'POST /api/create-subscription': {
        clientSecret: null,
        provider: 'elsewhere',
        redirectUrl: url,
        client: { kind: 'redirect', url },
      },
    })
    await press()
    await waitFor(() => expect(leave).toHaveBeenCalledWith(url))
    expect(await screen.findByRole('link', { name: 'Go on to the payment page' })).toHaveAttribute('href', url)
  })

  it('is at its end where there is nothing to pay', async () => {
    const { router } = subscribe({
      'POST /api/create-subscription': { clientSecret: null, provider: 'sandbox', client: { kind: 'none' } },
    })
    await press()
    expect(await screen.findByText('Welcome to Pro!')).toBeVisible()
    expect(at(router)).toBe('/gallery')
  })
})

describe('a purchase that cannot begin', () => {
  it('is not offered while nobody takes payments', async () => {
    subscribe({ 'GET /api/capabilities': takes('none') })
    expect(await screen.findByText('Pro cannot be bought at the moment')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Subscribe' })).toBeNull()
  })

  it.each([
    ['elements', 'http://localhost/de/gallery', true],
    ['elements', 'http://localhost/de/subscribe', false],
    ['elements', 'http://localhost/account/', false],
    ['sandbox', 'http://localhost/gallery', false],
  ])('for %s in a document of %s loads the page anew: %s', async (client, name, anew) => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
    vi.stubGlobal('performance', Object.assign(Object.create(performance), { getEntriesByType: () => [{ name }] }))
    subscribe({ 'GET /api/capabilities': takes(client) })
    if (anew) await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    else expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Subscribe' }) === null).toBe(anew)
    expect(reload).toHaveBeenCalledTimes(anew ? 1 : 0)
  })

  it('says so when the payment details are missing', async () => {
    subscribe({
      'POST /api/create-subscription': { ...start, clientSecret: null, client: { kind: 'sandbox' } },
    })
    await press()
    expect(await screen.findByText('Failed to get payment details')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeEnabled()
  })

  it.each([
    [new Refusal(500, 'The till is closed.'), 'The till is closed.'],
    [new Response('<h1>Bad gateway</h1>', { status: 502 }), 'Failed to initialize subscription. Please try again.'],
    [() => Promise.reject(new TypeError('away')), 'Failed to initialize subscription. Please try again.'],
  ])('tells the reason, or that it failed: %#', async (answer, told) => {
    subscribe({ 'POST /api/create-subscription': answer })
    await press()
    expect(await screen.findByText(told)).toBeVisible()
    expect(document.querySelector('[data-variant="destructive"]')).toHaveTextContent(told)
    await waitFor(() => expect(screen.getByRole('button', { name: 'Subscribe' })).toBeEnabled())
  })

  it('leads to the account, after two seconds, whoever pays already', async () => {
    const sentence = 'This account already has an active subscription.'
    const { router } = subscribe({
      'POST /api/create-subscription': new Refusal(409, sentence, undefined, 'already_subscribed'),
    })
    const button = await screen.findByRole('button', { name: 'Subscribe' })
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(button)
    expect(
      await screen.findByText('You already have an active subscription. Redirecting to your account...'),
    ).toBeVisible()
    const waited = vi.getTimerCount()
    expect(waited).toBeGreaterThan(0)
    await vi.advanceTimersByTimeAsync(1_500)
    expect(at(router)).toBe('/subscribe')
    await vi.advanceTimersByTimeAsync(600)
    await waitFor(() => expect(at(router)).toBe('/account'))
  })
})

describe('the way back from a payment page', () => {
  const back = (query: string, answers: Record<string, unknown> = {}) => {
    let isPro = false
    return renderApp(`/gallery?${query}`, {
      'GET /api/auth/user': () => ({ ...reader, isPro }),
      'GET /api/covers': [],
      'GET /api/themes': [],
      'POST /api/sync-subscription': () => {
        isPro = true
        return { isPro }
      },
      ...answers,
    })
  }
  const paid = 'payment_intent=pi_1&payment_intent_client_secret=pi_1_secret&redirect_status=succeeded'

  it('has the server ask, welcomes, and tidies the address', async () => {
    const { router, requests } = back(`q=sea&${paid}`)
    expect(await screen.findByText('Welcome to Pro!')).toBeVisible()
    await waitFor(() => expect(router.history.location.href).toBe('/gallery?q=sea'))
    const calls = requests.map(({ call }) => call)
    expect(calls.filter((call) => call === 'POST /api/sync-subscription')).toHaveLength(1)
    expect(calls.lastIndexOf('GET /api/auth/user')).toBeGreaterThan(calls.indexOf('POST /api/sync-subscription'))
    expect(requests.find(({ call }) => call === 'POST /api/sync-subscription')?.body).toBeUndefined()
  })

  it('only logs that the server could not be asked', async () => {
    const { router } = back(paid, { 'POST /api/sync-subscription': new Refusal(503, 'Away.') })
    await waitFor(() => expect(router.history.location.href).toBe('/gallery'))
    expect(logged).toHaveBeenCalledWith('The subscription could not be synced', expect.anything())
    expect(screen.queryByText(/Away|Welcome/)).toBeNull()
  })

  it('does not believe the address', async () => {
    const { requests } = back(paid, { 'POST /api/sync-subscription': { isPro: false } })
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    await vi.waitFor(() => expect(requests.map(({ call }) => call)).toContain('POST /api/sync-subscription'), 5_000)
    await vi.advanceTimersByTimeAsync(11_000)
    expect(await screen.findByText('Your payment is on its way')).toBeVisible()
    expect(screen.queryByText('Welcome to Pro!')).toBeNull()
    expect(screen.getByRole('link', { name: 'Go Pro' })).toBeVisible()
  })

  it('says that a payment failed, and asks for nothing', async () => {
    const { router, requests } = back('payment_intent=pi_1&redirect_status=failed')
    expect(await screen.findByText('Payment failed')).toBeVisible()
    await waitFor(() => expect(router.history.location.href).toBe('/gallery'))
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/sync-subscription')
  })

  it('leaves an address alone that says nothing of a payment', async () => {
    const { router, requests } = back('q=sea&redirect_status=succeeded')
    expect(await screen.findByRole('link', { name: 'Go Pro' })).toBeVisible()
    expect(router.state.location.searchStr).toContain('q=sea')
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/sync-subscription')
  })
})
