import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { SuppressionOut } from '@/api/generated'
import { Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { studio } from '../test-data'
import { suppressionFile, suppressionFilter } from './queries'

afterEach(() => act(dismissToast))

const row = (over: Partial<SuppressionOut> = {}): SuppressionOut => ({
  id: 4,
  address: 'cy@example.com',
  scope: 'all',
  reason: 'complained',
  source: 'postmark',
  eventId: 'Bounce-9',
  createdAt: '2026-11-01T10:00:00Z',
  lastAt: '2026-11-01T10:00:00Z',
  triedAt: null,
  userId: 3,
  ...over,
})

const open = (answers: Record<string, unknown> = {}, search = '') =>
  renderApp(`/admin/suppressions${search}`, { ...studio, 'GET /api/admin/suppressions': [row()], ...answers })

it('tells who gets no email, why, and who said so', async () => {
  open({ 'GET /api/admin/suppressions': [row(), row({ id: 5, address: 'x@y.example', userId: null, source: 'link' })] })
  const table = within(await screen.findByRole('table', { name: 'Suppressed addresses' }))
  const [, first, second] = table.getAllByRole('row')
  expect(first).toHaveTextContent('Marked as spam')
  expect(first).toHaveTextContent('Bounce-9')
  expect(table.getByRole('link', { name: 'cy@example.com' })).toHaveAttribute('href', '/admin/users/3')
  expect(second).toHaveTextContent('The link in an email')
  expect(within(second as HTMLElement).queryByRole('link')).toBeNull()
})

it('labels each cell with the head of its column, for who reads it as a card', async () => {
  open()
  const cells = within(await screen.findByRole('table')).getAllByRole('cell')
  expect(cells.map((cell) => cell.dataset.label)).toEqual(['Address', 'Why', 'Reported by', 'Since', undefined])
})

it('explains what a complaint means before it is lifted', async () => {
  let rows = [row()]
  const { requests } = open({
    'GET /api/admin/suppressions': () => rows,
    'DELETE /api/admin/suppressions/4': () => {
      rows = []
      return new Response(null, { status: 204 })
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Send email again' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Send email to cy@example.com again?' }))
  expect(dialog.getByText(/marked an email of yours as spam/)).toBeVisible()
  expect(requests.some(({ call }) => call.startsWith('DELETE'))).toBe(false)
  await userEvent.click(dialog.getByRole('button', { name: 'Send email again' }))
  expect(await screen.findByText('Email goes to cy@example.com again')).toBeVisible()
  expect(await screen.findByText('Every address gets email')).toBeVisible()
})

it('says why it could not be lifted, and keeps the question', async () => {
  open({ 'DELETE /api/admin/suppressions/4': new Refusal(404, 'This address is not suppressed.') })
  await userEvent.click(await screen.findByRole('button', { name: 'Send email again' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Send email again' }))
  expect(await screen.findByText('This address is not suppressed.')).toBeVisible()
  expect(screen.getByRole('dialog')).toBeVisible()
})

it('keeps the filter in the address, asks the server for it, and takes the same along', async () => {
  const asked: string[] = []
  open(
    {
      'GET /api/admin/suppressions': (_: unknown, { searchParams }: URL) => {
        asked.push(`${searchParams.get('reason')} ${searchParams.get('search')}`)
        return [row()]
      },
    },
    '?reason=complained',
  )
  await screen.findByRole('table')
  await userEvent.type(screen.getByRole('searchbox'), 'cy')
  await waitFor(() => expect(asked).toContain('complained cy'))
  expect(await screen.findByRole('link', { name: 'Download as CSV' })).toHaveAttribute(
    'href',
    '/api/admin/suppressions/file?search=cy&reason=complained',
  )
  expect(suppressionFilter({ reason: 'angry', search: ' ' })).toEqual({})
  expect(suppressionFile({})).toBe('/api/admin/suppressions/file?')
})
