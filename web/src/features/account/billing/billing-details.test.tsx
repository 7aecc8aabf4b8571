import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { dismissToast } from '@/ui/overlay/toast-store'
import { account, card } from './test-billing'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const READ = 'GET /api/subscription/billing-details'
const SAVE = 'PUT /api/subscription/billing-details'
const works = {
  name: 'Ada Reader',
  country: 'DE',
  line1: 'Lindenallee 7',
  city: 'Berlin',
  postalCode: '10115',
  region: '',
  company: 'Reader Books',
  taxId: 'DE123456789',
}
const taxed = (answers: Record<string, unknown>) =>
  account({ 'GET /api/capabilities': { payment: { client: 'sandbox', taxes: true } }, ...answers })

it('is not there where no taxes are computed', async () => {
  const { requests } = account()
  await card('Subscription')
  expect(screen.queryByRole('region', { name: 'Billing address' })).toBeNull()
  expect(requests.map(({ call }) => call)).not.toContain(READ)
})

it('shows who invoices are for, and lets a subscriber change it', async () => {
  const { requests } = taxed({ [READ]: { asked: true, details: works }, [SAVE]: { ...works, city: 'Potsdam' } })
  const shown = await card('Billing address')
  expect(await shown.findByText('Reader Books')).toBeVisible()
  expect(shown.getByText('Germany')).toBeVisible()
  expect(shown.getByText(/Tax ID .*DE123456789/)).toBeVisible()
  await userEvent.click(shown.getByRole('button', { name: 'Change address' }))
  const city = await shown.findByLabelText('City')
  await userEvent.clear(city)
  await userEvent.type(city, 'Potsdam')
  await userEvent.click(shown.getByRole('button', { name: 'Save address' }))
  expect(await screen.findByText('The billing address was saved')).toBeVisible()
  expect(shown.getByText('10115 Potsdam')).toBeVisible()
  expect(requests.find(({ call }) => call === SAVE)?.body).toEqual({ ...works, city: 'Potsdam' })
})

it('asks a subscriber of before for an address', async () => {
  taxed({ [READ]: { asked: true, details: null } })
  const shown = await card('Billing address')
  await userEvent.click(await shown.findByRole('button', { name: 'Add address' }))
  await waitFor(() => expect(shown.getByLabelText('Country')).toBeVisible())
  await userEvent.click(shown.getByRole('button', { name: 'Cancel' }))
  expect(await shown.findByText('No address is known yet.')).toBeVisible()
})
