import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { capabilities } from '@/test/capabilities'
import { Refusal } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { press, subscribe } from './test-data'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const LOOK = 'POST /api/subscription/promotion'
const START = 'POST /api/create-subscription'
const told = {
  promotionCode: 'SAVE20',
  priceId: 'price_month',
  currency: 'usd',
  interval: 'month',
  due: 1520,
  reduced: 1520,
  full: 1900,
  lasts: 'months',
  months: 3,
}
const wrong = (code: string, words: string) =>
  new Refusal(422, words, { promotionCode: words }, 'invalid_fields', { promotionCode: { code } })
const page = (answers: Record<string, unknown> = {}) =>
  subscribe({
    'GET /api/capabilities': { ...capabilities(), payment: { client: 'sandbox', promotionCodes: true } },
    [LOOK]: told,
    ...answers,
  })
const give = async (code: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Do you have a promotion code?' }))
  expect(screen.getByLabelText('Promotion code')).toHaveFocus()
  await userEvent.type(screen.getByLabelText('Promotion code'), `${code}{Enter}`)
}
const bodies = (requests: { call: string; body: unknown }[], name: string) =>
  requests.filter(({ call }) => call === name).map(({ body }) => body)

it('is not asked for where the provider has none', async () => {
  subscribe()
  expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /promotion code/ })).toBeNull()
})

it.each([
  [{}, '$15.20', '$15.20/month for the first 3 months, then $19/month.'],
  [{ lasts: 'once', months: 0 }, '$15.20', 'After that, $19/month.'],
  [{ lasts: 'forever', months: 0, due: 0 }, '$0.00', '$15.20/month for as long as you stay.'],
])('shows what is due today and after that: %o', async (change, due, later) => {
  page({ [LOOK]: { ...told, ...change } })
  await give('save20')
  const applied = within(await screen.findByText('Due today').then((node) => node.closest('section') as HTMLElement))
  expect(applied.getByText(due)).toBeVisible()
  expect(applied.getByText(later)).toBeVisible()
})

it('is sent with the start, and the button says what is paid', async () => {
  const { requests } = page()
  await give(' save20 ')
  expect(await screen.findByText('Due today')).toBeVisible()
  await press()
  expect(await screen.findByRole('button', { name: 'Pay $15.20' })).toBeVisible()
  expect(bodies(requests, LOOK)).toEqual([{ promotionCode: 'save20' }])
  expect(bodies(requests, START)).toEqual([{ promotionCode: 'SAVE20' }])
  // without it another payment is to be begun
  await userEvent.click(screen.getByRole('button', { name: 'Remove code' }))
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
  await press()
  expect(await screen.findByRole('button', { name: 'Pay $19' })).toBeVisible()
  expect(bodies(requests, START)).toEqual([{ promotionCode: 'SAVE20' }, undefined])
})

it.each([
  ['promotion_unknown', 'This code is not known. Check how it is written.'],
  ['promotion_expired', 'This code has expired.'],
  ['promotion_used_up', 'This code has been used up.'],
  ['promotion_not_for_price', 'This code is not for this plan.'],
  ['promotion_new_only', 'This code is for new customers only.'],
])('says under its field why it gives nothing: %s', async (code, words) => {
  const { requests } = page({ [LOOK]: wrong(code, 'No.') })
  await give('NOPE')
  expect(await screen.findByText(words)).toBeVisible()
  expect(screen.getByLabelText('Promotion code')).toHaveAccessibleDescription(words)
  expect(screen.getByLabelText('Promotion code')).toBeInvalid()
  expect(bodies(requests, LOOK)).toHaveLength(1)
  expect(bodies(requests, START)).toHaveLength(0)
})

it('that was typed and not applied is asked about before anything is begun', async () => {
  const { requests } = page()
  await userEvent.click(await screen.findByRole('button', { name: 'Do you have a promotion code?' }))
  await userEvent.type(screen.getByLabelText('Promotion code'), 'save20')
  await press()
  expect(await screen.findByText('Due today')).toBeVisible()
  expect(bodies(requests, START)).toHaveLength(0)
})

it('is asked about again for another price', async () => {
  const one = (priceId: string, interval: string) => ({
    priceId,
    amount: 1900,
    currency: 'usd',
    interval,
    current: false,
  })
  page({
    'GET /api/subscription/prices': {
      prices: [one('price_month', 'month'), one('price_year', 'year')],
      changeable: false,
    },
    [LOOK]: ({ priceId }: { priceId?: string }) =>
      priceId === 'price_year' ? wrong('promotion_not_for_price', 'No.') : told,
  })
  await give('SAVE20')
  expect(await screen.findByText('Due today')).toBeVisible()
  await userEvent.click(screen.getByRole('radio', { name: /Yearly/ }))
  expect(await screen.findByText('This code is not for this plan.')).toBeVisible()
  expect(screen.queryByText('Due today')).toBeNull()
})

it('that was used up meanwhile is said when the purchase begins', async () => {
  let looked = 0
  page({
    [LOOK]: () => (looked++ ? wrong('promotion_used_up', 'Gone.') : told),
    [START]: wrong('promotion_used_up', 'Gone.'),
  })
  await give('SAVE20')
  expect(await screen.findByText('Due today')).toBeVisible()
  await press()
  await waitFor(() =>
    expect(screen.getByLabelText('Promotion code')).toHaveAccessibleDescription('This code has been used up.'),
  )
})
