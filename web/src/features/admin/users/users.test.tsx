import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PersonOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { userFilter } from './user-filter'

beforeEach(() => void vi.spyOn(window.location, 'assign').mockImplementation(() => undefined))
afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const person = (over: Partial<PersonOut> & Pick<PersonOut, 'id'>): PersonOut => ({
  email: `reader-${over.id}@example.com`,
  emailVerified: true,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  isAdmin: false,
  disabled: false,
  hasSecondFactor: false,
  isPro: false,
  proOverride: null,
  paymentCustomerId: null,
  subscription: null,
  createdAt: '2026-10-01T10:00:00Z',
  lastSeenAt: null,
  generationsThisMonth: 2,
  covers: 1204,
  credits: 0,
  emailMarketingEnabled: true,
  suppression: null,
  proUntil: null,
  ...over,
})
const ada = person({ id: 1, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', isAdmin: true })
const bob = person({
  id: 2,
  email: 'bob@example.com',
  firstName: 'Bob',
  isPro: true,
  subscription: 'active',
  paymentCustomerId: 'cus_1',
  lastSeenAt: new Date(Date.now() - 3 * 60_000).toISOString(),
})
const cy = person({ id: 3, email: 'cy@example.com', emailVerified: false })

const page = (answers: Record<string, unknown> = {}, path = '/admin/users') =>
  renderApp(path, {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/users': [cy, bob, ada],
    'GET /api/admin/overview': { users: 3, pro: 1, administrators: 1, paymentCustomers: 1 },
    ...answers,
  })
const row = async (name: string) =>
  (await screen.findByRole('button', { name })).closest('tr') ?? expect.fail(`no row of ${name}`)
const act_on = async (email: string, what: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${email}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: what }))
}
const profile = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name }))
  return within(await screen.findByRole('dialog', { name }))
}
const bodies = (requests: { call: string; body: unknown }[], call: string) =>
  requests.filter((request) => request.call === call).map(({ body }) => body)

describe('the list of users', () => {
  it('shows who they are, and what is out of the ordinary', async () => {
    page()
    expect(await row('Ada Lovelace')).toHaveTextContent(
      /^Ada Lovelaceyouada@example\.comAdministrator1,204Oct 1, 2026Never/,
    )
    expect(await row('Bob')).toHaveTextContent(/^Bobbob@example\.comPro1,204Oct 1, 20263 minutes ago/)
    expect(await row('cy@example.com')).toHaveTextContent(/^cy@example\.comNot confirmed/)
  })

  it('is searched once typing has rested, and the address says for what', async () => {
    const sought: (string | null)[] = []
    const { router } = page({
      'GET /api/admin/users': (_: unknown, { searchParams }: URL) => {
        sought.push(searchParams.get('search'))
        return searchParams.get('search') === 'LOVE' ? [ada] : [cy, bob, ada]
      },
    })
    await row('Bob')
    await userEvent.type(screen.getByRole('searchbox', { name: 'Email, first or last name' }), 'LOVE')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Bob' })).toBeNull())
    expect(await row('Ada Lovelace')).toBeVisible()
    expect(sought).toEqual([null, 'LOVE'])
    expect(router.state.location.search).toEqual({ search: 'LOVE' })
  })

  it('can be narrowed to Pro, administrators and others, and says so when there is nobody', async () => {
    const asked: (string | null)[] = []
    const { router } = page(
      {
        'GET /api/admin/users': (_: unknown, { searchParams }: URL) => {
          asked.push(searchParams.get('role'))
          return searchParams.get('role') === 'admin' ? [] : [bob]
        },
      },
      '/admin/users?role=admin',
    )
    expect(await screen.findByText('No users match')).toBeVisible()
    const role = screen.getByRole('combobox', { name: 'Show' })
    expect(
      within(role)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'All',
      'Pro',
      'Paying for Pro',
      'Pro as a gift',
      'Renewal failed',
      'With a payment-customer ID',
      'Administrators',
      'Not confirmed',
      'Gets no email',
      'Inactive for 90 days',
      'Suspended',
    ])
    await userEvent.selectOptions(role, 'Pro')
    expect(await row('Bob')).toBeVisible()
    expect(router.state.location.search).toEqual({ role: 'pro' })
    await userEvent.selectOptions(role, 'Administrators')
    await userEvent.click(await screen.findByRole('button', { name: 'Show all' }))
    expect(await row('Bob')).toBeVisible()
    expect(asked.slice(0, 2)).toEqual(['admin', 'pro'])
    expect(router.state.location.search).toEqual({})
  })

  it('can be sorted, narrowed to days of the sign-up, and had as a file', async () => {
    const asked: string[] = []
    page({
      'GET /api/admin/users': (_: unknown, { search }: URL) => {
        asked.push(search)
        return [bob]
      },
    })
    await row('Bob')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Last seen')
    await waitFor(() => expect(asked.at(-1)).toContain('sort=seen'))
    fireEvent.change(screen.getByLabelText('Joined on or after'), { target: { value: '2026-11-01' } })
    await waitFor(() => expect(asked.at(-1)).toContain('from=2026-11-01'))
    expect(asked.at(-1)).toContain('sort=seen')
    expect(await screen.findByRole('link', { name: 'Download as CSV' })).toHaveAttribute(
      'href',
      '/api/admin/users/file?sort=seen&from=2026-11-01',
    )
  })

  it('goes on to older ones', async () => {
    page({
      'GET /api/admin/users': (_: unknown, { searchParams }: URL) =>
        searchParams.get('cursor') === 'older'
          ? Response.json([ada])
          : Response.json([bob], { headers: { link: '</api/admin/users?cursor=older>; rel="next"' } }),
    })
    await row('Bob')
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(await row('Ada Lovelace')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  it('can be asked for again when it could not be read', async () => {
    let up = false
    page({ 'GET /api/admin/users': () => (up ? [bob] : new Refusal(503, 'Away.')) })
    expect(await screen.findByText('Away.')).toBeVisible()
    up = true
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await row('Bob')).toBeVisible()
  })

  it('reads addresses that somebody wrote', () => {
    expect(userFilter({ search: '2024', role: 'pro' })).toEqual({ search: '2024', role: 'pro' })
    expect(userFilter({ search: ' ', role: 'king' })).toEqual({})
    expect(userFilter({ role: 'all' })).toEqual({})
    expect(userFilter({ from: '2026-11-01', to: 'soon' })).toEqual({ from: '2026-11-01' })
  })

  it('is for administrators', async () => {
    const { requests } = page({ 'GET /api/auth/user': reader })
    expect(await screen.findByText("You don't have admin privileges to access this page.")).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('GET /api/admin/users')
  })
})

describe('the menu', () => {
  it('sends a password link, and leads to what was done with the user', async () => {
    const { requests } = page({ 'POST /api/admin/users/3/reset-link': new Response(null, { status: 204 }) })
    await row('cy@example.com')
    await userEvent.click(screen.getByRole('button', { name: 'Actions for cy@example.com' }))
    expect(await screen.findByRole('menuitem', { name: 'History' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/admin\/audit\?object=user/),
    )
    await userEvent.click(screen.getByRole('menuitem', { name: 'Send a password link' }))
    expect(await screen.findByText('A link to choose a password is on its way to cy@example.com')).toBeVisible()
    expect(requests.map(({ call }) => call)).toContain('POST /api/admin/users/3/reset-link')
  })
})

describe('the profile', () => {
  it('tells all facts', async () => {
    page()
    const dialog = await profile('Bob')
    for (const fact of ['bob@example.com', 'October 1, 2026', '1,204', 'cus_1', 'Active', 'Yes'])
      expect(dialog.getByText(fact)).toBeVisible()
    await userEvent.click(dialog.getAllByRole('button', { name: 'Close' })[0] ?? expect.fail())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('makes an administrator, shown before the server has answered', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { requests } = page({ 'PATCH /api/admin/users/2': () => new Promise((resolve) => (answer = resolve)) })
    const dialog = await profile('Bob')
    const admin = dialog.getByRole('switch', { name: 'Administrator' })
    expect(admin).not.toBeChecked()
    await userEvent.click(admin)
    expect(admin).toBeChecked()
    answer({ ...bob, isAdmin: true })
    expect(await screen.findByText('The user was changed')).toBeVisible()
    expect(admin).toBeChecked()
    expect(bodies(requests, 'PATCH /api/admin/users/2')).toEqual([{ isAdmin: true }])
  })

  it('gives Pro, takes it away, and leaves it to the subscription again', async () => {
    const { requests } = page({
      'PATCH /api/admin/users/2': (body: unknown) => {
        const { isPro } = body as { isPro: boolean | null }
        return { ...bob, proOverride: isPro, isPro: isPro ?? true }
      },
    })
    const dialog = await profile('Bob')
    const choose = async (name: string) => {
      await userEvent.click(dialog.getByRole('radio', { name }))
      await waitFor(() => expect(dialog.getByRole('radio', { name })).toBeChecked())
    }
    expect(dialog.getByRole('radio', { name: 'By subscription' })).toBeChecked()
    await choose('Off')
    expect(dialog.getByText('Not Pro, even with a subscription that is paid for.')).toBeVisible()
    await choose('On')
    await choose('By subscription')
    await waitFor(() =>
      expect(bodies(requests, 'PATCH /api/admin/users/2')).toEqual([
        { isPro: false },
        { isPro: true },
        { isPro: null },
      ]),
    )
  })

  it('shows what was, and says in the specified words why it could not be changed', async () => {
    page({ 'PATCH /api/admin/users/2': new Refusal(503, 'The database is away.') })
    const dialog = await profile('Bob')
    const admin = dialog.getByRole('switch', { name: 'Administrator' })
    await userEvent.click(admin)
    expect(await screen.findByText('Failed to update user: The database is away.')).toBeVisible()
    await waitFor(() => expect(admin).not.toBeChecked())
  })

  it('asks before one’s own rights are given up, and the last administrator keeps them', async () => {
    const { requests } = page({
      'PATCH /api/admin/users/1': new Refusal(409, 'The last one.', undefined, 'last_admin'),
    })
    const dialog = await profile('Ada Lovelace')
    expect(dialog.getByText('This is you. Without these rights you cannot come back here.')).toBeVisible()
    await userEvent.click(dialog.getByRole('switch', { name: 'Administrator' }))
    expect(bodies(requests, 'PATCH /api/admin/users/1')).toEqual([])
    await userEvent.click(await screen.findByRole('button', { name: 'Give up my rights' }))
    expect(
      await screen.findByText(
        'Failed to update user: You are the last administrator. Make another user an administrator first.',
      ),
    ).toBeVisible()
    expect(await row('Ada Lovelace')).toHaveTextContent('Administrator')
  })
})

describe('the menu of a user', () => {
  it('changes rights at once', async () => {
    const { requests } = page({
      'PATCH /api/admin/users/3': (body: unknown) => ({ ...cy, ...(body as object) }),
    })
    await act_on('cy@example.com', 'Make administrator')
    await waitFor(async () => expect(await row('cy@example.com')).toHaveTextContent('Administrator'))
    expect(bodies(requests, 'PATCH /api/admin/users/3')).toEqual([{ isAdmin: true }])
  })

  it('suspends a user after a confirmation, and reinstates them', async () => {
    const { requests } = page({
      'PATCH /api/admin/users/3': (body: unknown) => ({ ...cy, ...(body as object) }),
    })
    await act_on('cy@example.com', 'Suspend')
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend cy@example.com?' }))
    expect(bodies(requests, 'PATCH /api/admin/users/3')).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Suspend' }))
    await waitFor(async () => expect(await row('cy@example.com')).toHaveTextContent('Suspended'))
    await act_on('cy@example.com', 'Reinstate')
    await waitFor(async () => expect(await row('cy@example.com')).not.toHaveTextContent('Suspended'))
    expect(bodies(requests, 'PATCH /api/admin/users/3')).toEqual([{ disabled: true }, { disabled: false }])
  })

  it('offers nobody to suspend themselves', async () => {
    page()
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for ada@example.com' }))
    expect(await screen.findByRole('menuitem', { name: 'Sign out everywhere' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Suspend' })).toBeNull()
  })

  it('signs a user out everywhere after a confirmation', async () => {
    const { requests } = page({ 'DELETE /api/admin/users/3/sessions': () => new Response(null, { status: 204 }) })
    await act_on('cy@example.com', 'Sign out everywhere')
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign out cy@example.com everywhere?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Sign out everywhere' }))
    expect(await screen.findByText('cy@example.com was signed out everywhere')).toBeVisible()
    expect(requests.map(({ call }) => call)).toContain('DELETE /api/admin/users/3/sessions')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('deletes an account after a confirmation that names the address', async () => {
    let people = [cy, bob, ada]
    const { requests } = page({
      'GET /api/admin/users': () => people,
      'DELETE /api/admin/users/by-email/cy%40example.com': () => {
        people = [bob, ada]
        return { deletedUser: { email: cy.email } }
      },
    })
    await act_on('cy@example.com', 'Delete user')
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete cy@example.com?' }))
    expect(dialog.queryByRole('alert')).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(requests.some(({ call }) => call.startsWith('DELETE'))).toBe(false)
    await act_on('cy@example.com', 'Delete user')
    await userEvent.click(await screen.findByRole('button', { name: 'Delete user' }))
    expect(await screen.findByText('cy@example.com was deleted')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'cy@example.com' })).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says in the specified words why somebody could not be deleted, and keeps the question', async () => {
    page({ 'DELETE /api/admin/users/by-email/cy%40example.com': new Refusal(503, 'Away.') })
    await act_on('cy@example.com', 'Delete user')
    await userEvent.click(await screen.findByRole('button', { name: 'Delete user' }))
    expect(await screen.findByText('Failed to delete user: Away.')).toBeVisible()
    expect(screen.getByRole('dialog', { name: 'Delete cy@example.com?' })).toBeVisible()
  })

  it('warns whoever deletes their own account, and leads out of it', async () => {
    page({ 'DELETE /api/admin/users/by-email/ada%40example.com': { deletedUser: { email: ada.email } } })
    await act_on('ada@example.com', 'Delete user')
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete ada@example.com?' }))
    expect(dialog.getByRole('alert')).toHaveTextContent('This is your own account.')
    await userEvent.click(dialog.getByRole('button', { name: 'Delete user' }))
    await waitFor(() => expect(window.location.assign).toHaveBeenCalledWith('/'))
  })
})
