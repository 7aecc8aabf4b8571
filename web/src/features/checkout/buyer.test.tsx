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

const READ = 'GET /api/subscription/billing-details'
const SAVE = 'PUT /api/subscription/billing-details'
const LOOK = 'POST /api/subscription/tax-preview'
const home = {
  name: 'Ada Reader',
  country: 'DE',
  line1: 'Lindenallee 7',
  city: 'Berlin',
  postalCode: '10115',
  region: '',
  company: '',
  taxId: '',
}
const told = {
  currency: 'usd',
  net: 1900,
  taxes: [{ name: 'VAT', percent: '8.875', amount: 361 }],
  total: 2261,
  due: 2261,
}
const page = (answers: Record<string, unknown> = {}) =>
  subscribe({
    'GET /api/capabilities': { ...capabilities(), payment: { client: 'sandbox', promotionCodes: true, taxes: true } },
    [READ]: { asked: true, details: null },
    [SAVE]: home,
    [LOOK]: told,
    ...answers,
  })
const step = async () => within(await screen.findByRole('region', { name: 'Billing address' }))

it('is not asked for where no taxes are computed', async () => {
  const { requests } = subscribe()
  expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeEnabled()
  expect(requests.map(({ call }) => call)).not.toContain(READ)
})

it('comes before the payment, which costs what was told with the tax', async () => {
  const { requests } = page()
  const form = await step()
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeDisabled()
  expect(screen.queryByRole('button', { name: /promotion code/ })).toBeNull()
  await userEvent.type(await form.findByLabelText('Full name'), 'Ada Reader')
  await userEvent.click(form.getByRole('button', { name: 'Continue' }))
  expect(await form.findAllByText('This field is required.')).toHaveLength(3)
  await userEvent.selectOptions(form.getByLabelText('Country'), 'Germany')
  await userEvent.type(form.getByLabelText('Street and number'), 'Lindenallee 7')
  await userEvent.type(form.getByLabelText('City'), 'Berlin')
  await userEvent.type(form.getByLabelText('Postal code'), '10115')
  await userEvent.click(form.getByRole('button', { name: 'Continue' }))
  const shown = await step()
  expect(await shown.findByText('Total')).toBeVisible()
  expect(requests.find(({ call }) => call === SAVE)?.body).toEqual(home)
  expect(shown.getByText('10115 Berlin')).toBeVisible()
  expect(shown.getByText('$19.00')).toBeVisible()
  expect(shown.getByText(/VAT.*, 8\.875%/)).toBeVisible()
  expect(shown.getByText('$3.61')).toBeVisible()
  expect(shown.getByText('$22.61')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Do you have a promotion code?' })).toBeVisible()
  await press()
  expect(await screen.findByRole('button', { name: 'Pay $22.61' })).toBeVisible()
  // another address is another amount: what was begun is left
  await userEvent.click(shown.getByRole('button', { name: 'Change address' }))
  const again = await step()
  expect(again.getByLabelText('City')).toHaveValue('Berlin')
  await userEvent.click(again.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Subscribe' })).toBeEnabled())
  expect(requests.filter(({ call }) => call === LOOK).length).toBeGreaterThan(1)
})

it('says at its field why a tax ID is refused', async () => {
  const words = 'The authorities do not know this tax ID.'
  const refusal = new Refusal(422, words, { taxId: words }, 'invalid_fields', { taxId: { code: 'tax_id_unknown' } })
  const { requests } = page({ [READ]: { asked: true, details: home }, [SAVE]: refusal })
  await userEvent.click((await step()).getByRole('button', { name: 'Change address' }))
  const form = await step()
  await userEvent.click(await form.findByRole('switch', { name: 'I buy for a company' }))
  await userEvent.click(form.getByRole('button', { name: 'Continue' }))
  expect(await form.findByText('This field is required.')).toBeVisible()
  await userEvent.type(form.getByLabelText('Company'), 'Reader Books')
  await userEvent.type(form.getByLabelText('Tax ID (optional)'), 'DE000000000')
  await userEvent.click(form.getByRole('button', { name: 'Continue' }))
  expect(await form.findByText(words)).toBeVisible()
  expect(form.getByLabelText('Tax ID (optional)')).toBeInvalid()
  expect(requests.findLast(({ call }) => call === SAVE)?.body).toMatchObject({
    company: 'Reader Books',
    taxId: 'DE000000000',
  })
  await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
  expect(await (await step()).findByText('Lindenallee 7')).toBeVisible()
})

it('can be asked for again when the provider does not answer', async () => {
  let up = false
  page({
    [READ]: () => (up ? { asked: true, details: home } : new Refusal(503, 'Away.')),
    [LOOK]: () => (up ? told : new Refusal(503, 'Away.')),
  })
  expect(await screen.findByText('The billing address could not be loaded')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeDisabled()
  up = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('$22.61')).toBeVisible()
})
