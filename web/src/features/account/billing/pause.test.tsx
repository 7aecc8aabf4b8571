import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { Refusal } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { account, billing, card, dialog, LATER, PERIOD_END, reader, subscription } from './test-billing'

afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const PAUSE = 'POST /api/subscription/pause'
const RESUME = 'POST /api/subscription/resume'
const going = billing({ subscription: subscription({ pausable: true }) })
const paused = (more: object = {}) => billing({ subscription: subscription({ paused_until: LATER, ...more }) })

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

it('is offered beside staying and cancelling, for one to three months', async () => {
  let asked = 0
  const { requests } = account({
    'GET /api/subscription': going,
    [PAUSE]: paused(),
    // the offer is gone before the page has asked anew who is there
    'GET /api/auth/user': async () => {
      if (asked++) await new Promise((resolve) => setTimeout(resolve, 50))
      return { ...reader, isPro: true }
    },
  })
  await press('Cancel subscription')
  const offer = await dialog()
  expect(offer.getByText(/You keep Pro until December 21, 2026/)).toBeVisible()
  const months = offer.getByLabelText('Pause for')
  expect(
    within(months)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['1 month', '2 months', '3 months'])
  await userEvent.selectOptions(months, '2 months')
  await userEvent.click(offer.getByRole('button', { name: 'Pause subscription' }))
  expect(await screen.findByText('Your subscription is paused')).toBeVisible()
  expect(requests.find(({ call }) => call === PAUSE)?.body).toEqual({ months: 2 })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const shown = await card('Subscription')
  expect(shown.getByText('Paused until')).toBeVisible()
  expect(shown.getByText('January 5, 2027')).toBeVisible()
  expect(shown.getByText(/goes on by itself with the next payment\. You keep Pro until December 21/)).toBeVisible()
  expect(shown.queryByText('Next billing date')).toBeNull()
})

it('is not offered where the provider cannot', async () => {
  account()
  await press('Cancel subscription')
  expect((await dialog()).queryByRole('button', { name: 'Pause subscription' })).toBeNull()
})

it('is resumed at once while it is paid', async () => {
  const { requests } = account({ 'GET /api/subscription': paused(), [RESUME]: billing() })
  await press('Resume now')
  expect(await screen.findByText('Your subscription goes on')).toBeVisible()
  expect(requests.map(({ call }) => call)).toContain(RESUME)
  expect(await screen.findByText('Next billing date')).toBeVisible()
})

it('that is used up is told on the free plan, and what resuming costs', async () => {
  const { requests } = account(
    { 'GET /api/subscription': paused({ status: 'paused', next_amount: 1520 }), [RESUME]: billing() },
    { isPro: false },
  )
  const shown = await card('Subscription')
  expect(shown.getByText(/Until then you are on the free plan/)).toBeVisible()
  expect(screen.queryByText('Payment needed')).toBeNull()
  expect(screen.queryByRole('link', { name: /Upgrade/ })).toBeNull()
  await press('Resume now')
  const asked = within(await screen.findByRole('dialog', { name: 'Resume now?' }))
  expect(asked.getByText(/\$15\.20 is charged now/)).toBeVisible()
  expect(requests.map(({ call }) => call)).not.toContain(RESUME)
  await userEvent.click(asked.getByRole('button', { name: 'Resume now' }))
  expect(await screen.findByText('Your subscription goes on')).toBeVisible()
})

it('stays when the bank declines, and says so', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  account(
    {
      'GET /api/subscription': paused({ status: 'paused' }),
      [RESUME]: new Refusal(402, 'No.', undefined, 'payment_declined'),
    },
    { isPro: false },
  )
  await press('Resume now')
  const asked = within(await screen.findByRole('dialog', { name: 'Resume now?' }))
  await userEvent.click(asked.getByRole('button', { name: 'Resume now' }))
  expect(await screen.findByText('Your bank declined the payment. Please try another card.')).toBeVisible()
  expect(await screen.findByText('Paused until')).toBeVisible()
  expect(PERIOD_END).toBeLessThan(LATER)
})
