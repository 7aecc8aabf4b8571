import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PeopleChange, PersonOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const person = (id: number, email: string): PersonOut => ({
  id,
  email,
  emailVerified: true,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  isAdmin: id === 1,
  disabled: false,
  hasSecondFactor: false,
  isPro: false,
  proOverride: null,
  paymentCustomerId: null,
  subscription: null,
  createdAt: '2026-10-01T10:00:00Z',
  lastSeenAt: null,
  generationsThisMonth: 2,
  covers: 3,
  credits: 0,
  emailMarketingEnabled: true,
  suppression: null,
  proUntil: null,
})
const people = [person(3, 'cy@example.com'), person(2, 'bob@example.com'), person(1, 'ada@example.com')]
const CHECK = 'POST /api/admin/users/bulk/check'
const CHANGE = 'POST /api/admin/users/bulk'
const self = { why: 'self', count: 1, emails: ['ada@example.com'] }

const page = (answers: Record<string, unknown> = {}, path = '/admin/users') =>
  renderApp(path, {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/users': people,
    'GET /api/admin/overview': { users: 3, pro: 1, administrators: 1, paymentCustomers: 1 },
    [CHECK]: { changes: 2, leftOut: [self], cursor: 'c4' },
    [CHANGE]: { changed: [3, 2], leftOut: [{ id: 1, email: 'ada@example.com', why: 'self' }], cursor: null },
    ...answers,
  })
const bodies = (requests: { call: string; body: unknown }[], call: string) =>
  requests.filter((request) => request.call === call).map(({ body }) => body as PeopleChange)
const choose = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }))
const bar = () => within(screen.getByRole('toolbar', { name: 'Selected users' }))
async function ask(action: string) {
  await userEvent.click(bar().getByRole('button', { name: 'Actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
  return within(await screen.findByRole('dialog', { name: action }))
}

describe('several users at once', () => {
  it('are chosen one by one or all, and let go', async () => {
    page()
    await choose('Select bob@example.com')
    expect(bar().getByText('1 selected')).toBeVisible()
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all shown' })
    expect(all.indeterminate).toBe(true)
    await userEvent.click(all)
    expect(bar().getByText('3 selected')).toBeVisible()
    await userEvent.click(all)
    expect(screen.queryByRole('toolbar')).toBeNull()
    await choose('Select bob@example.com')
    await userEvent.click(bar().getByRole('button', { name: 'Stop selecting' }))
    expect(screen.getByRole('checkbox', { name: 'Select bob@example.com' })).not.toBeChecked()
  })

  it('are suspended after a word on whom that leaves out, and it says how that went', async () => {
    const { requests } = page()
    await choose('Select all shown')
    const dialog = await ask('Suspend')
    expect(await dialog.findByText('This concerns 2 users.')).toBeVisible()
    expect(dialog.getByText(/^Yourself/)).toHaveTextContent('Yourself (1)ada@example.com')
    expect(bodies(requests, CHANGE)).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Suspend' }))
    expect(await dialog.findByText('Done for 2 users.')).toBeVisible()
    expect(dialog.getByText('Not done for')).toBeVisible()
    expect(bodies(requests, CHANGE)).toEqual([{ ids: [3, 2, 1], action: 'suspend', cursor: 'c4' }])
    const [close] = dialog.getAllByRole('button', { name: 'Close' })
    await userEvent.click(close ?? expect.fail('no way out'))
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull())
  })

  it('are all who match where the list goes on, and what failed goes on where it stopped', async () => {
    let calls = 0
    const { requests } = page(
      {
        'GET /api/admin/users': () =>
          new Response(JSON.stringify(people), {
            headers: { 'content-type': 'application/json', link: '</api/admin/users?cursor=x>; rel="next"' },
          }),
        'GET /api/admin/users/count': { count: 240 },
        [CHECK]: { changes: 240, leftOut: [], cursor: 'c9' },
        [CHANGE]: () => {
          calls += 1
          if (calls === 1) return { changed: [9, 8], leftOut: [], cursor: 'c8' }
          if (calls === 2) return new Refusal(409, 'Not now.')
          return { changed: [7], leftOut: [], cursor: null }
        },
      },
      '/admin/users?role=pro&sort=email',
    )
    await choose('Select all shown')
    await userEvent.click(await screen.findByRole('button', { name: 'Select all 240 who match' }))
    expect(bar().getByText('240 selected')).toBeVisible()
    const dialog = await ask('Give extra covers')
    expect(await dialog.findByText('This concerns 240 users.')).toBeVisible()
    const give = dialog.getByRole('button', { name: 'Give extra covers' })
    expect(give).toBeDisabled()
    await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'An outage')
    await userEvent.click(give)
    expect(await dialog.findByRole('alert')).toHaveTextContent('Stopped before the end: Not now.')
    expect(dialog.getByText('Done for 2 users.')).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(await dialog.findByText('Done for 3 users.')).toBeVisible()
    const sent = bodies(requests, CHANGE)
    expect(sent.map(({ cursor }) => cursor)).toEqual(['c9', 'c8', 'c8'])
    expect(new Set(sent.map(({ run }) => run)).size).toBe(1)
    expect(sent[2]).toMatchObject({ matching: { role: 'pro' }, action: 'credit', amount: 1, reason: 'An outage' })
    expect(sent[2]).not.toHaveProperty('ids')
  })

  it('says why there is nobody, and offers the check again when it failed', async () => {
    const answers: unknown[] = [new Refusal(409, 'Not now.'), { changes: 0, leftOut: [self], cursor: 'c4' }]
    page({ [CHECK]: () => answers.shift() })
    await choose('Select ada@example.com')
    const dialog = await ask('Suspend')
    expect(await dialog.findByRole('alert')).toHaveTextContent('Not now.')
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByText('There is nobody to do this for.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Suspend' })).toBeDisabled()
  })
})
