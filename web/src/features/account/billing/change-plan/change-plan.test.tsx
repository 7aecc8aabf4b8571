import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { reader as plain, Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const reader = { ...plain, isPro: true, emailVerified: true, hasPassword: true, language: null }
const NEXT = Date.UTC(2027, 10, 25, 12) / 1000

const billing = (interval = 'month', amount = 1900) => ({
  subscription: {
    status: 'active',
    canceled_at: null,
    cancel_at: null,
    current_period_end: NEXT,
    grace_until: null,
    price: { amount, currency: 'usd', interval },
  },
  invoices: [],
  portal: false,
  actionRequired: false,
})
const monthly = { priceId: 'price_month', amount: 1900, currency: 'usd', interval: 'month', current: true }
const yearly = { priceId: 'price_year', amount: 19_000, currency: 'usd', interval: 'year', current: false }
const offered = { prices: [monthly, yearly], changeable: true }
const preview = {
  priceId: 'price_year',
  currency: 'usd',
  due: 17_812,
  credit: 1188,
  nextCharge: 19_000,
  nextAt: NEXT,
  asOf: 1_795_000_000,
}

afterEach(() => act(dismissToast))

const account = (answers: Record<string, unknown> = {}) =>
  renderApp('/account', {
    'GET /api/auth/user': reader,
    'GET /api/account/sessions': [],
    'GET /api/account/sign-ins': [],
    'GET /api/capabilities': { payment: { client: 'sandbox' } },
    'GET /api/subscription': billing(),
    'GET /api/subscription/prices': offered,
    'GET /api/subscription/price-preview': preview,
    ...answers,
  })

async function opened() {
  await userEvent.click(await screen.findByRole('button', { name: 'Change plan' }))
  return within(await screen.findByRole('dialog', { name: 'Change plan' }))
}

describe('changing the plan', () => {
  it.each([
    [{ prices: [monthly], changeable: false }],
    [{ prices: offered.prices, changeable: false }],
    [new Refusal(503, 'Away.')],
  ])('is not offered where there is nothing to change to: %o', async (prices) => {
    account({ 'GET /api/subscription/prices': prices })
    await screen.findByRole('button', { name: 'Cancel subscription' })
    expect(screen.queryByRole('button', { name: 'Change plan' })).toBeNull()
  })

  it('shows what would be charged, and charges nothing before one agrees', async () => {
    const { requests } = account()
    const dialog = await opened()
    expect(dialog.getByRole('radio', { name: /Monthly.*Your plan/s })).toBeDisabled()
    expect(dialog.getByRole('radio', { name: /Yearly.*Save \$38 a year/s })).toBeChecked()
    expect(await dialog.findByText('$178.12')).toBeVisible()
    expect(dialog.getByText('Credit for unused time').nextSibling).toHaveTextContent('$11.88')
    expect(dialog.getByText('Next charge').nextSibling).toHaveTextContent('$190.00 on November 25, 2027')
    await userEvent.click(dialog.getByRole('button', { name: 'Keep current plan' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/subscription/price')
  })

  it('agrees to what was shown, and shows the new plan', async () => {
    const { requests } = account({ 'POST /api/subscription/price': billing('year', 19_000) })
    const dialog = await opened()
    await userEvent.click(await dialog.findByRole('button', { name: 'Pay $178.12 and change' }))
    expect(await screen.findByText('Your plan was changed')).toBeVisible()
    expect(await screen.findByText('$190/year')).toBeVisible()
    expect(requests.find(({ call }) => call === 'POST /api/subscription/price')?.body).toEqual({
      priceId: 'price_year',
      asOf: 1_795_000_000,
    })
  })

  it('says why it was refused, and asks for the amounts again', async () => {
    let asked = 0
    account({
      'GET /api/subscription/price-preview': () => ({ ...preview, due: 17_812 - asked++ }),
      'POST /api/subscription/price': new Refusal(409, 'Old.', undefined, 'preview_expired'),
    })
    const dialog = await opened()
    await userEvent.click(await dialog.findByRole('button', { name: 'Pay $178.12 and change' }))
    expect(
      await screen.findByText('The amounts have changed since they were shown. Please look at them again.'),
    ).toBeVisible()
    expect(await dialog.findByRole('button', { name: 'Pay $178.11 and change' })).toBeEnabled()
  })

  it('costs nothing now where the credit is larger', async () => {
    account({ 'GET /api/subscription/price-preview': { ...preview, due: 0 } })
    const dialog = await opened()
    expect(await dialog.findByText('$0.00')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Change plan' })).toBeEnabled()
  })

  it('can be tried again when the amounts cannot be had', async () => {
    let away = true
    account({
      'GET /api/subscription/price-preview': () =>
        away ? new Refusal(503, 'Away.', undefined, 'payments_unavailable') : preview,
    })
    const dialog = await opened()
    expect(await dialog.findByText('The amounts could not be loaded')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Change plan' })).toBeDisabled()
    away = false
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByText('$178.12')).toBeVisible()
  })
})
