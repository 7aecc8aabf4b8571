import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { Refusal } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { subscriptionState } from './subscription-state'
import { account, billing, card, dialog, invoice, LATER, PERIOD_END, reader, subscription } from './test-billing'

let leave: MockInstance<(url: string | URL) => void>

beforeEach(() => {
  leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('what a subscription says of itself', () => {
  it.each([
    ['active', true],
    ['trialing', true],
    ['past_due', false],
    ['unpaid', false],
    ['paused', false],
    ['canceled', false],
    ['incomplete', false],
  ])('%s is in use: %s', (status, active) => {
    expect(subscriptionState(subscription({ status }))).toMatchObject({ active })
  })

  it.each([
    [{}, false, PERIOD_END],
    [{ canceled_at: 1 }, true, PERIOD_END],
    [{ cancel_at: LATER }, true, LATER],
    [{ canceled_at: 1, cancel_at: LATER }, true, LATER],
  ])('%o ends: %s, at %s', (dates, canceling, end) => {
    expect(subscriptionState(subscription(dates))).toMatchObject({ canceling, end })
  })
})

describe('the subscription card', () => {
  it.each([
    ['active', 'Active'],
    ['trialing', 'Active'],
  ])('of one that is %s says %s, and can be cancelled', async (status, word) => {
    account({ 'GET /api/subscription': billing({ subscription: subscription({ status }) }) })
    const shown = await card('Subscription')
    expect(shown.getByText(word)).toBeVisible()
    expect(shown.getByText('$19/month')).toBeVisible()
    expect(shown.getByText('Next billing date')).toBeVisible()
    expect(shown.getByText('December 21, 2026')).toBeVisible()
    expect(shown.queryByText('Cancelling')).toBeNull()
    expect(shown.getByRole('button', { name: 'Cancel subscription' })).toBeVisible()
  })

  it.each([
    [{ cancel_at: LATER }, 'January 5, 2027'],
    [{ canceled_at: 1 }, 'December 21, 2026'],
  ])('of one that ends says until when: %o', async (dates, date) => {
    account({ 'GET /api/subscription': billing({ subscription: subscription(dates) }) })
    const shown = await card('Subscription')
    expect(shown.getByText('Cancelling')).toBeVisible()
    expect(shown.getByText('Access until')).toBeVisible()
    expect(shown.getByText(date)).toBeVisible()
    expect(
      shown.getByText(
        `Your subscription is cancelled. You keep Pro until ${date}; after that you are on the free plan.`,
      ),
    ).toHaveClass('bg-warn-soft')
    expect(shown.queryByText('Next billing date')).toBeNull()
    expect(shown.getByRole('button', { name: 'Reactivate subscription' })).toBeVisible()
  })

  it('offers no way back once the end has come', async () => {
    account({
      'GET /api/subscription': billing({ subscription: subscription({ status: 'canceled', canceled_at: 1 }) }),
    })
    expect((await card('Subscription')).queryByRole('button')).toBeNull()
  })

  it.each([
    [true, null],
    [false, subscription()],
  ])('is not there for pro %s with %o', async (isPro, shown) => {
    const { requests } = account({ 'GET /api/subscription': billing({ subscription: shown }) }, { isPro })
    await card('Account information')
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('GET /api/subscription'))
    expect(screen.queryByRole('region', { name: 'Subscription' })).toBeNull()
  })

  it('leads to the provider’s own page where it has one', async () => {
    account({
      'GET /api/subscription': billing({ portal: true }),
      'POST /api/subscription/portal': { url: 'https://pay.example/portal' },
    })
    await userEvent.click((await card('Subscription')).getByRole('button', { name: 'Cards and invoices' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://pay.example/portal'))
  })
})

describe('cancelling', () => {
  it('asks first, in these words, and lets it be', async () => {
    const { requests } = account()
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel subscription' }))
    const asked = await dialog()
    expect(
      asked.getByText(
        "Are you sure you want to cancel your subscription? You'll continue to have access until the end of your current billing period.",
      ),
    ).toBeVisible()
    expect(asked.getByRole('button', { name: 'Cancel Subscription' })).toBeVisible()
    await userEvent.click(asked.getByRole('button', { name: 'Keep Subscription' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/subscription/cancel')
  })

  it('says that it is under way, then until when there is access', async () => {
    let answer = (_: unknown) => {}
    let canceled = billing()
    const { requests } = account({
      'GET /api/subscription': () => canceled,
      'POST /api/subscription/cancel': () => new Promise((resolve) => (answer = resolve)),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel subscription' }))
    await userEvent.click((await dialog()).getByRole('button', { name: 'Cancel Subscription' }))
    expect(await screen.findByRole('button', { name: 'Cancelling...' })).toBeDisabled()
    expect((await dialog()).getByRole('button', { name: 'Keep Subscription' })).toBeDisabled()
    const before = requests.filter(({ call }) => call === 'GET /api/auth/user').length
    canceled = billing({ subscription: subscription({ canceled_at: 1, cancel_at: PERIOD_END }) })
    answer(canceled)
    expect(await screen.findByText('Access until')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await card('Account information')).getByText('Pro')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Reactivate subscription' })).toHaveFocus())
    await waitFor(() =>
      expect(requests.filter(({ call }) => call === 'GET /api/auth/user').length).toBeGreaterThan(before),
    )
  })

  it('asks why, and sends what is said', async () => {
    const { requests } = account({ 'POST /api/subscription/cancel': billing() })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel subscription' }))
    const asked = await dialog()
    expect(asked.queryByRole('textbox')).toBeNull()
    await userEvent.selectOptions(asked.getByRole('combobox', { name: 'Why are you leaving?' }), 'Too expensive')
    await userEvent.type(asked.getByRole('textbox', { name: 'What should we know? (optional)' }), 'For now.')
    await userEvent.click(asked.getByRole('button', { name: 'Cancel Subscription' }))
    await waitFor(() =>
      expect(requests.find(({ call }) => call === 'POST /api/subscription/cancel')?.body).toEqual({
        reason: 'too_expensive',
        comment: 'For now.',
      }),
    )
  })

  it('can be taken back', async () => {
    let now = billing({ subscription: subscription({ canceled_at: 1, cancel_at: PERIOD_END }) })
    account({
      'GET /api/subscription': () => now,
      'POST /api/subscription/reactivate': () => {
        now = billing()
        return now
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Reactivate subscription' }))
    expect(await screen.findByText('Next billing date')).toBeVisible()
    expect(screen.queryByText('Cancelling')).toBeNull()
    expect(await screen.findByText('Your subscription continues')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel subscription' })).toHaveFocus())
  })

  it.each([
    ['cancel', {}],
    ['reactivate', { cancel_at: PERIOD_END }],
  ])('fails with a general message: %s', async (action, dates) => {
    account({
      'GET /api/subscription': billing({ subscription: subscription(dates) }),
      [`POST /api/subscription/${action}`]: new Refusal(503, 'Stripe away.'),
    })
    if (action === 'cancel') {
      await userEvent.click(await screen.findByRole('button', { name: 'Cancel subscription' }))
      await userEvent.click((await dialog()).getByRole('button', { name: 'Cancel Subscription' }))
    } else await userEvent.click(await screen.findByRole('button', { name: 'Reactivate subscription' }))
    expect(await screen.findByText('Server error')).toBeVisible()
    expect(screen.queryByText('Stripe away.')).toBeNull()
  })
})

describe('the billing history', () => {
  it('is not there without invoices', async () => {
    account()
    await card('Subscription')
    expect(screen.queryByRole('region', { name: 'Billing history' })).toBeNull()
  })

  it('lists amounts and dates, each with its document in a new tab', async () => {
    account({
      'GET /api/subscription': billing({
        invoices: [
          invoice(),
          invoice({ id: 'in_2', number: 'CW-0002', amount_paid: 1850, currency: 'eur', created: LATER }),
          invoice({ id: 'in_3', number: 'CW-0003', amount_paid: 500, currency: 'jpy', invoice_pdf: null }),
          invoice({ id: 'in_4', number: 'CW-0004', amount_paid: 0, amount_due: 1900, status: 'open', due_at: LATER }),
          invoice({ id: 'in_5', number: 'CW-0005', amount_paid: 0, status: 'void', tax: 303 }),
          invoice({ id: 'in_6', number: 'CW-0006', tax: 303, refunded: 1900, refunded_at: LATER }),
          invoice({ id: 'in_7', number: 'CW-0007', refunded: 500, refunded_at: LATER }),
        ],
      }),
    })
    const history = await card('Billing history')
    const rows = history.getAllByRole('listitem').map((row) => row.textContent?.replace(/[\u2066\u2069]/g, ''))
    expect(rows[0]).toContain('$19.00December 21, 2026')
    expect(rows[1]).toContain('18.50 EURJanuary 5, 2027')
    expect(rows[2]).toContain('500 JPYDecember 21, 2026')
    expect(rows[3]).toContain('$19.00December 21, 2026Not paidDue on January 5, 2027')
    expect(rows[4]).toContain('$19.00December 21, 2026Void')
    expect(rows[5]).toContain('$19.00December 21, 2026incl. $3.03 tax')
    expect(rows[5]).toContain('Refunded $19.00 on January 5, 2027')
    expect(rows[6]).toContain('Partly refunded $5.00 of $19.00 on January 5, 2027')
    const document = history.getByRole('link', { name: 'Download invoice CW-0001' })
    expect(document).toHaveAttribute('href', '/api/subscription/invoices/in_1/pdf')
    expect(document).toHaveAttribute('target', '_blank')
    expect(history.queryByRole('link', { name: 'Download invoice CW-0003' })).toBeNull()
  })
})

it('comes before all that stands below it, which is not pushed down', async () => {
  let answer = (_: unknown) => {}
  account({ 'GET /api/subscription': () => new Promise((resolve) => (answer = resolve)) })
  await card('Account information')
  expect(screen.queryByRole('region', { name: 'Name' })).toBeNull()
  answer(billing({ invoices: [invoice()] }))
  expect(await screen.findByRole('region', { name: 'Name' })).toBeVisible()
  expect(screen.getByRole('region', { name: 'Billing history' })).toBeVisible()
})

describe('the upgrade card', () => {
  it.each([
    [true, 'Get unlimited book cover generations and access to all premium features.'],
    [false, 'Upgrade to Pro for 40 generations.'],
  ])('leads whoever is not Pro to the upgrade page, where Pro is without limit: %s', async (proUnlimited, told) => {
    account(
      {
        'GET /api/subscription': billing({ subscription: null }),
        'GET /api/plan-limits': { proUnlimited, proMonthlyLimit: 40, freeMonthlyLimit: 1 },
      },
      { isPro: false },
    )
    const upgrade = await card('Upgrade to Pro')
    expect(await upgrade.findByText(told)).toBeVisible()
    expect(upgrade.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/subscribe')
  })

  it('is not there for Pro readers', async () => {
    account()
    await card('Subscription')
    expect(screen.queryByRole('region', { name: 'Upgrade to Pro' })).toBeNull()
  })
})

describe('the status of the subscription', () => {
  it.each([
    [false, 'Welcome to Pro!'],
    [true, 'Your subscription is up to date'],
  ])('is told after it was fetched afresh: was pro %s', async (wasPro, told) => {
    let isPro = wasPro
    const { requests } = account({
      'GET /api/auth/user': () => ({ ...reader, isPro }),
      'POST /api/sync-subscription': () => {
        isPro = true
        return { isPro }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Sync status' }))
    expect(await screen.findByText(told)).toBeVisible()
    expect(await card('Subscription')).toBeDefined()
    await waitFor(() =>
      expect(requests.filter(({ call }) => call === 'GET /api/subscription').length).toBeGreaterThan(1),
    )
  })
})
