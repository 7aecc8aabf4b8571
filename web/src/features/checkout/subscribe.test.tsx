import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { at, press, start, subscribe, takes } from './test-data'

const pro = { ...reader, isPro: true }

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  vi.useRealTimers()
  // the next test must not find what this one said
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
})

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
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ name } as PerformanceEntry])
    subscribe({ 'GET /api/capabilities': takes(client) })
    if (anew) await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    else expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Subscribe' }) === null).toBe(anew)
    expect(reload).toHaveBeenCalledTimes(anew ? 1 : 0)
  })

  it.each([
    { ...start, clientSecret: null, client: { kind: 'sandbox' } },
    { clientSecret: 'sec_1', provider: 'sandbox' },
    { provider: 'sandbox' },
  ])('says so when the payment details are missing: %#', async (opened) => {
    subscribe({ 'POST /api/create-subscription': opened })
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
    await waitFor(() => expect(document.querySelector('[data-variant="destructive"]')).toHaveTextContent(told))
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
