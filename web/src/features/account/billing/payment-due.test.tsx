import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { account, billing, card, dialog, invoice, LATER, subscription } from './test-billing'

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('a renewal that failed', () => {
  const due = (more: object = {}, invoices = [invoice({ amount_paid: 0, amount_due: 900, status: 'open' })]) =>
    billing({
      subscription: subscription({ status: 'past_due', grace_until: LATER, ...more }),
      actionRequired: true,
      invoices,
    })
  const open = {
    clientSecret: 'sec_2',
    provider: 'sandbox',
    client: { kind: 'sandbox', clientSecret: 'sec_2', cards: [{ number: '4242424242424242', outcome: 'succeeds' }] },
  }

  it('is told with the day until which Pro goes on, and paid on the spot', async () => {
    let now = due()
    account({
      'GET /api/subscription': () => now,
      'GET /api/subscription/confirmation': open,
      'POST /api/subscription/pay': { status: 'succeeded' },
      'POST /api/sync-subscription': () => {
        now = billing()
        return { isPro: true }
      },
    })
    const needed = await card('Payment needed')
    expect(
      needed.getByText(
        'Your last payment did not go through. You keep Pro until January 5, 2027: update your card and pay by then to stay on it.',
      ),
    ).toBeVisible()
    await userEvent.click(needed.getByRole('button', { name: 'Pay $9.00' }))
    const form = within(await screen.findByRole('dialog', { name: 'Pay the open amount' }))
    await userEvent.click(await form.findByRole('button', { name: /4242/ }))
    await userEvent.click(form.getByRole('button', { name: 'Pay now' }))
    expect(await screen.findByText('Thank you, your payment went through')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Payment needed' })).toBeNull())
    expect((await card('Subscription')).getByText('Active')).toBeVisible()
  })

  it('is one state on the page: what is due and until when Pro stays, without a next date', async () => {
    account({ 'GET /api/subscription': due() })
    const needed = await card('Payment needed')
    expect(needed.getByText('Payment failed')).toBeVisible()
    expect(needed.getByText('Amount due').nextSibling).toHaveTextContent('$9.00')
    expect(needed.getByText('Access until').nextSibling).toHaveTextContent('January 5, 2027')
    expect((await card('Billing history')).getByText('$9.00')).toBeVisible()
    for (const other of ['Active', 'Inactive', 'Next billing date', '$0.00'])
      expect(screen.queryByText(other)).toBeNull()
    expect(screen.queryByRole('region', { name: 'Subscription' })).toBeNull()
    expect(screen.getAllByRole('button', { name: /^Pay / })).toHaveLength(1)
  })

  it('names the invoice that is paid first, in its own currency', async () => {
    const open = { amount_paid: 0, status: 'open' }
    const invoices = [
      invoice({ id: 'in_3', amount_due: 2100, ...open }),
      invoice({ id: 'in_2', amount_due: 1950, currency: 'eur', ...open }),
      invoice(),
    ]
    account({ 'GET /api/subscription': due({}, invoices) })
    expect((await card('Payment needed')).getByRole('button', { name: 'Pay 19.50 EUR' })).toBeEnabled()
  })

  it('can be paid by whoever lost Pro over it, too, and where the amount is not known', async () => {
    account({ 'GET /api/subscription': due({ status: 'unpaid' }, []) }, { isPro: false })
    const needed = await card('Payment needed')
    expect(needed.getByText(/Update your card and pay the open amount to use Pro again/)).toBeVisible()
    expect(needed.queryByText('Amount due')).toBeNull()
    expect(needed.queryByText('Access until')).toBeNull()
    expect(needed.getByRole('button', { name: 'Pay now' })).toBeEnabled()
  })

  it('can be ended instead, at once', async () => {
    let now = due()
    account({
      'GET /api/subscription': () => now,
      'POST /api/subscription/cancel': () => {
        now = billing({ subscription: null })
        return now
      },
    })
    await userEvent.click((await card('Payment needed')).getByRole('button', { name: 'Cancel subscription' }))
    const asked = await dialog()
    expect(asked.getByText(/so your subscription ends immediately/)).toBeVisible()
    await userEvent.click(asked.getByRole('button', { name: 'Cancel Subscription' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Payment needed' })).toBeNull())
  })

  it('leads to the provider’s own page, once', async () => {
    account({ 'GET /api/subscription': { ...due(), portal: true } })
    expect((await card('Payment needed')).getByRole('button', { name: 'Cards and invoices' })).toBeVisible()
    expect(screen.getAllByRole('button', { name: 'Cards and invoices' })).toHaveLength(1)
  })

  it('is not told as paid while the bank takes its time', async () => {
    account({
      'GET /api/subscription': due(),
      'GET /api/subscription/confirmation': open,
      'POST /api/subscription/pay': { status: 'succeeded' },
      'POST /api/sync-subscription': { isPro: true },
    })
    await userEvent.click((await card('Payment needed')).getByRole('button', { name: 'Pay $9.00' }))
    const form = within(await screen.findByRole('dialog', { name: 'Pay the open amount' }))
    await userEvent.click(await form.findByRole('button', { name: /4242/ }))
    await userEvent.click(form.getByRole('button', { name: 'Pay now' }))
    expect(await screen.findByText('Your payment is on its way')).toBeVisible()
    expect(screen.queryByText('Thank you, your payment went through')).toBeNull()
  })

  it('of a subscription that is paused there is nothing to pay, and yet a way out', async () => {
    account(
      { 'GET /api/subscription': billing({ subscription: subscription({ status: 'paused' }), portal: true }) },
      { isPro: false },
    )
    const needed = await card('Payment needed')
    expect(needed.getByText('Your subscription is paused, so Pro is paused, too.')).toBeVisible()
    expect(needed.getByText('Paused')).toBeVisible()
    expect(needed.queryByText('Payment failed')).toBeNull()
    expect(needed.queryByRole('button', { name: /^Pay / })).toBeNull()
    expect(needed.getByRole('button', { name: 'Cards and invoices' })).toBeVisible()
    expect(needed.getByRole('button', { name: 'Cancel subscription' })).toBeVisible()
  })

  it('says so when there is nothing to pay any more', async () => {
    account({
      'GET /api/subscription': due(),
      'GET /api/subscription/confirmation': new Refusal(404, 'There is nothing to pay.', undefined, 'not_found'),
    })
    await userEvent.click((await card('Payment needed')).getByRole('button', { name: 'Pay $9.00' }))
    expect(await screen.findByText('There is nothing left to pay.')).toBeVisible()
  })

  it('is no matter of a first payment that is open', async () => {
    account({ 'GET /api/subscription': due({ status: 'incomplete' }) }, { isPro: false })
    await card('Upgrade to Pro')
    expect(screen.queryByRole('region', { name: 'Payment needed' })).toBeNull()
  })
})
