import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { account, billing, card as region, subscription } from './test-billing'

const visa = { brand: 'Visa', last4: '4242', exp_month: 3, exp_year: 2027, expires_first: false }

const paid = (card: object | null, portal = true, more: object = {}, answers: object = {}) => {
  const dates = { current_period_end: Date.UTC(2027, 5, 1) / 1000 }
  account({
    'GET /api/subscription': billing({ subscription: subscription({ ...dates, card, ...more }), portal }),
    ...answers,
  })
  return region('Subscription')
}
const written = (text: string) => (_: string, element: Element | null) =>
  element?.tagName === 'DD' && element.textContent?.replace(/[\u2068\u2069]/g, '') === text

it('shows the card that is charged next', async () => {
  const shown = await paid(visa)
  expect(shown.getByText(written('Visa •••• 4242, good until March 2027'))).toBeVisible()
  expect(shown.queryByText(/expires before the next payment/)).toBeNull()
})

it('names a card of an unknown brand by its digits', async () => {
  const shown = await paid({ ...visa, brand: '' })
  expect(shown.getByText(written('Card •••• 4242, good until March 2027'))).toBeVisible()
})

it.each([
  [true, /Please give a new one under “Cards and invoices”/],
  [false, /You can pay with another card here/],
])('warns of a card that will have expired, with what to do (own page of the provider: %s)', async (portal, words) => {
  const shown = await paid({ ...visa, expires_first: true }, portal)
  expect(shown.getByText(words)).toBeVisible()
})

it('says nothing where the provider tells no card', async () => {
  const shown = await paid(null)
  expect(shown.queryByText('Payment card')).toBeNull()
})

it('takes another card, and says so', async () => {
  const start = { provider: 'sandbox', clientSecret: 'sbx_card_1', client: { kind: 'sandbox', intent: 'setup' } }
  const shown = await paid(
    { ...visa, expires_first: true },
    false,
    { card_changeable: true },
    {
      'POST /api/subscription/card': { ...start, client: { ...start.client, clientSecret: 'sbx_card_1' } },
      'POST /api/subscription/pay': { status: 'succeeded' },
      'POST /api/sync-subscription': { isPro: true },
    },
  )
  expect(
    shown.getByText(/expires before the next payment, which would then fail. Please give a new one.$/),
  ).toBeVisible()
  await userEvent.click(shown.getByRole('button', { name: 'Change card' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change card' }))
  await userEvent.type(await dialog.findByLabelText('Card number'), '4242424242424242')
  await userEvent.type(dialog.getByLabelText('Expiry date'), '04/40')
  await userEvent.type(dialog.getByLabelText('Security code'), '123')
  await userEvent.click(dialog.getByRole('button', { name: 'Save card' }))
  expect(await screen.findByText('Your card was changed')).toBeVisible()
})

it.each([
  [false, 'From your first renewal on or after June 1, 2027, you pay $19/month instead of $9/month.'],
  [true, 'From your next renewal on June 1, 2027, you pay $19/month instead of $9/month.'],
])('tells of a new price until it is paid (with the next renewal: %s)', async (is_next, words) => {
  const price_change = {
    old_amount: 900,
    new_amount: 1900,
    currency: 'usd',
    starts: Date.UTC(2027, 5, 1, 12) / 1000,
    is_next,
  }
  const shown = await paid(visa, true, { price_change })
  expect(shown.getByText((text) => text.startsWith(words))).toBeVisible()
})
