import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

let logged: MockInstance

beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  // the next test must not find what this one said
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
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

  const billing = (actionRequired: boolean) => ({ subscription: null, invoices: [], portal: false, actionRequired })

  it.each([
    ['says nothing of one that the server does not know', false],
    ['says that one is on its way that the server knows', true],
  ])('does not believe the address: %s', async (_, actionRequired) => {
    const { router, requests } = back(paid, {
      'POST /api/sync-subscription': { isPro: false },
      'GET /api/subscription': billing(actionRequired),
    })
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    await vi.waitFor(() => expect(requests.map(({ call }) => call)).toContain('POST /api/sync-subscription'), 40_000)
    await vi.advanceTimersByTimeAsync(11_000)
    await waitFor(() => expect(router.history.location.href).toBe('/gallery'))
    if (actionRequired) expect(await screen.findByText('Your payment is on its way')).toBeVisible()
    else expect(screen.queryByText('Your payment is on its way')).toBeNull()
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
