import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { Refusal } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { at, press, start, subscribe } from './test-data'

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

const fill = async (number = '4242 4242 4242 4242') => {
  await userEvent.type(await screen.findByLabelText('Card number'), number)
  await userEvent.type(screen.getByLabelText('Expiry date'), '12/30')
  await userEvent.type(screen.getByLabelText('Security code'), '123')
}
const pay = () => userEvent.click(screen.getByRole('button', { name: 'Pay $19' }))

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
    expect(screen.getByText(/This site does not take real money/)).toBeVisible()
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
        'You pay nothing today. The first $19 is due on December 5, 2026, unless you cancel before then.',
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
    await waitFor(() =>
      expect(document.querySelector('[data-variant="destructive"]')).toHaveTextContent('The card was declined.'),
    )
    expect(screen.getByRole('button', { name: 'Pay $19' })).toHaveAccessibleDescription('The card was declined.')
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
    expect(await screen.findByRole('link', { name: 'Continue to the payment page' })).toHaveAttribute('href', url)
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

describe('the period', () => {
  const monthly = { priceId: 'price_month', amount: 1900, currency: 'usd', interval: 'month', current: false }
  const yearly = { priceId: 'price_year', amount: 19_000, currency: 'usd', interval: 'year', current: false }

  it('is chosen before one pays, and decides what is paid', async () => {
    const { requests } = subscribe({
      'GET /api/subscription/prices': { prices: [monthly, yearly], changeable: false },
    })
    const checkout = within(await screen.findByRole('region', { name: 'Checkout' }))
    expect(await checkout.findByRole('radio', { name: /Monthly/ })).toBeChecked()
    expect(checkout.getByText('Save $38 a year')).toBeVisible()
    await userEvent.click(checkout.getByRole('radio', { name: /Yearly/ }))
    expect(checkout.getByText('Renews every year until you cancel.')).toBeVisible()
    await press()
    expect(await checkout.findByRole('button', { name: 'Pay $190' })).toBeVisible()
    expect(requests.find(({ call }) => call === 'POST /api/create-subscription')?.body).toEqual({
      priceId: 'price_year',
    })
    await userEvent.click(checkout.getByRole('radio', { name: /Monthly/ }))
    expect(checkout.queryByRole('button', { name: /^Pay/ })).toBeNull()
    expect(checkout.getByRole('button', { name: 'Subscribe' })).toBeEnabled()
  })

  it('is no choice where there is one only', async () => {
    subscribe({ 'GET /api/subscription/prices': { prices: [monthly], changeable: false } })
    const checkout = within(await screen.findByRole('region', { name: 'Checkout' }))
    expect(await checkout.findByText('$19/month')).toBeVisible()
    expect(checkout.queryByRole('radio')).toBeNull()
  })
})
