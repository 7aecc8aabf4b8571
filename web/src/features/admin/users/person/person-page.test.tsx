import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { PersonOut, TimelineEntry } from '@/api/generated'
import { reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

afterEach(() => act(dismissToast))

const bob: PersonOut = {
  id: 2,
  email: 'bob@example.com',
  emailVerified: true,
  firstName: 'Bob',
  lastName: null,
  profileImageUrl: null,
  isAdmin: false,
  disabled: false,
  hasSecondFactor: false,
  isPro: true,
  proOverride: true,
  proUntil: null,
  paymentCustomerId: null,
  subscription: null,
  createdAt: '2026-10-01T10:00:00Z',
  lastSeenAt: null,
  generationsThisMonth: 2,
  covers: 3,
  credits: 0,
  emailMarketingEnabled: true,
  suppression: { id: 7, reason: 'bounced', since: '2026-11-01T10:00:00Z' },
}

const entry = (over: Partial<TimelineEntry>): TimelineEntry => ({
  kind: 'cover',
  id: '1',
  at: '2026-11-24T10:00:00Z',
  what: 'Dune',
  state: 'completed',
  detail: null,
  ip: null,
  amount: null,
  currency: null,
  actorEmail: null,
  ...over,
})

const open = (answers: Record<string, unknown> = {}, search = '') =>
  renderApp(`/admin/users/2${search}`, {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/users/2': bob,
    'GET /api/admin/users/2/timeline': [
      entry({}),
      entry({ kind: 'invoice', what: 'CW-7', state: 'open', amount: 1900, currency: 'usd' }),
      entry({ kind: 'history', what: 'user.change', state: 'ok', detail: 'isPro', actorEmail: 'chief@example.com' }),
    ],
    ...answers,
  })

it('tells who somebody is and what happened, the latest first', async () => {
  open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Bob' })).toBeVisible()
  const [cover, invoice, history] = within(await screen.findByRole('list', { name: 'What happened' })).getAllByRole(
    'listitem',
  )
  expect(cover).toHaveTextContent(/Dune.*Completed/)
  expect(invoice).toHaveTextContent(/CW-7\$19.*Not paid/)
  expect(within(history as HTMLElement).getByRole('link', { name: 'user.change' })).toHaveAttribute(
    'href',
    '/admin/audit?object=user%3A2',
  )
  expect(history).toHaveTextContent(/chief@example\.com/)
})

it('shows one kind only, and the address says which', async () => {
  const kinds: (string | null)[] = []
  const { router } = open({
    'GET /api/admin/users/2/timeline': (_: unknown, { searchParams }: URL) => {
      kinds.push(searchParams.get('kind'))
      return searchParams.get('kind') === 'invoice' ? [] : [entry({})]
    },
  })
  await userEvent.click(await screen.findByRole('radio', { name: 'Invoices' }))
  expect(await screen.findByText('Nothing has happened yet')).toBeVisible()
  expect(router.state.location.search).toEqual({ kind: 'invoice' })
  expect(kinds).toEqual([null, 'invoice'])
})

it('gives Pro until the end of a day, and for good again', async () => {
  const { requests } = open({
    'PATCH /api/admin/users/2': (body: unknown) => ({
      ...bob,
      proUntil: (body as { proUntil: string | null }).proUntil,
    }),
  })
  const day = await screen.findByLabelText('Pro until')
  expect(screen.getByText('Without a date, Pro stays until you take it away.')).toBeVisible()
  fireEvent.change(day, { target: { value: '2001-01-01' } })
  expect(screen.getByRole('button', { name: 'Set end' })).toBeDisabled()
  fireEvent.change(day, { target: { value: '2099-03-04' } })
  await userEvent.click(screen.getByRole('button', { name: 'Set end' }))
  expect(await screen.findByText(/^Pro ends by itself on March 4, 2099/)).toBeVisible()
  expect(requests.filter(({ call }) => call.startsWith('PATCH')).map(({ body }) => body)).toEqual([
    { isPro: true, proUntil: '2099-03-04T23:59:59Z' },
  ])
})

it('says that no email reaches them, and lifts that from here', async () => {
  let person = bob
  open({
    'GET /api/admin/users/2': () => person,
    'DELETE /api/admin/suppressions/7': () => {
      person = { ...bob, suppression: null }
      return new Response(null, { status: 204 })
    },
  })
  expect(await screen.findByText('Email came back')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Actions for bob@example.com' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Send email again' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Send email again' }))
  await waitFor(() => expect(screen.queryByText('Email came back')).toBeNull())
})

it('leads back to the list once the account is deleted', async () => {
  const { router } = open({
    'GET /api/admin/users': [],
    'DELETE /api/admin/users/by-email/bob%40example.com': { deletedUser: { email: bob.email } },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for bob@example.com' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete user' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete user' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/users'))
})

it('gives covers beyond the limit, with a reason', async () => {
  const { requests } = open({ 'POST /api/admin/users/2/credits': { credits: 5 } })
  const form = within(await screen.findByRole('form', { name: 'Extra covers' }))
  const give = form.getByRole('button', { name: 'Give' })
  expect(give).toBeDisabled()
  await userEvent.type(form.getByLabelText('Reason'), ' A bad day ')
  fireEvent.change(form.getByLabelText('How many'), { target: { value: '0' } })
  expect(give).toBeDisabled()
  fireEvent.change(form.getByLabelText('How many'), { target: { value: '5' } })
  await userEvent.click(give)
  expect(await form.findByText(/^5 covers left/)).toBeVisible()
  expect(requests.filter(({ call }) => call.startsWith('POST')).map(({ body }) => body)).toEqual([
    { amount: 5, reason: 'A bad day' },
  ])
  expect(form.getByLabelText('Reason')).toHaveValue('')
})
