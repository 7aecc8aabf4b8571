import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { at, press, subscribe } from './test-data'

afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
})

it('names no price before it is known', async () => {
  let answer = (_: unknown) => {}
  subscribe({ 'GET /api/admin/selected-price': () => new Promise((resolve) => (answer = resolve)) })
  expect(await screen.findByText('All dimensions and formats')).toBeVisible()
  expect(screen.queryByText(/\$19/)).toBeNull()
  expect(screen.queryByText(/^Renews/)).toBeNull()
  answer({ amount: 1850, currency: 'eur', interval: 'year' })
  expect(await screen.findAllByText('18.50 EUR/year')).toHaveLength(2)
  expect(screen.getByText('Renews every year until you cancel.')).toBeVisible()
})

describe('a payment that is not open any more', () => {
  const pay = async (isPro: boolean) => {
    const { router } = subscribe({
      'POST /api/subscription/pay': new Refusal(404, 'There is nothing to pay.', undefined, 'not_found'),
      'POST /api/sync-subscription': { isPro },
    })
    await press()
    await userEvent.click(await screen.findByRole('button', { name: /4242/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Pay $19' }))
    return router
  }

  it('was paid in another window: whoever is Pro is welcome', async () => {
    const router = await pay(true)
    expect(await screen.findByText('Welcome to Pro!')).toBeVisible()
    expect(at(router)).toBe('/gallery')
    expect(screen.queryByText('Payment failed')).toBeNull()
  })

  it('was ended: that is what is said', async () => {
    const router = await pay(false)
    expect((await screen.findAllByText('There is nothing left to pay.'))[0]).toBeVisible()
    expect(at(router)).toBe('/subscribe')
    expect(screen.getByRole('button', { name: 'Pay $19' })).toBeEnabled()
  })
})
