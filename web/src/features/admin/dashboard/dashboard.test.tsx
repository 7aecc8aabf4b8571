import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { studio } from '../test-data'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const figures = { users: 1204, pro: 301, administrators: 3, paymentCustomers: 602 }
const uncounted = {
  since: '2026-10-26',
  until: '2026-11-24',
  previousSince: '2026-09-26',
  previousUntil: '2026-10-25',
  refreshedAt: null,
  series: [],
}
const overview = {
  provider: 'stripe',
  live: true,
  users: 1204,
  pro: 301,
  customers: 602,
  productId: null,
  priceId: null,
  otherPriceIds: [],
}

const dashboard = (answers: Record<string, unknown> = {}) =>
  renderApp('/admin', {
    ...studio,
    'GET /api/admin/overview': figures,
    'GET /api/admin/figures': uncounted,
    'GET /api/admin/payments/overview': overview,
    'GET /api/admin/backfill-stripe-customers': { summary: { processed: 0, errors: 0 }, running: false },
    ...answers,
  })

describe('the dashboard', () => {
  it('is where the administrators’ area opens, linked from the header and the bar at the foot', async () => {
    dashboard()
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    expect(within(screen.getByRole('banner')).getByRole('link', { name: 'Admin' })).toHaveAttribute('href', '/admin')
    const bar = within(screen.getByRole('navigation', { name: 'Quick access' }))
    expect(bar.getByRole('link', { name: 'Admin' })).toHaveAttribute('href', '/admin')
    const pages = within(screen.getByRole('navigation', { name: 'Administration' }))
    expect(pages.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page')
    expect(pages.getByRole('link', { name: 'Users' })).not.toHaveAttribute('aria-current')
  })

  it('tells four figures, two of them also as a part of all users', async () => {
    dashboard()
    expect(await screen.findByLabelText('Key figures')).toHaveTextContent(
      'Users1,204On Pro30125% of all usersAdministrators3With a payment-customer ID60250% of all users',
    )
    for (const [name, list] of [
      ['Users: 1,204', '/admin/users'],
      ['On Pro: 301', '/admin/users?role=pro'],
      ['Administrators: 3', '/admin/users?role=admin'],
      ['With a payment-customer ID: 602', '/admin/users?role=customer'],
    ] as const)
      expect(screen.getByRole('link', { name })).toHaveAttribute('href', list)
  })

  it('divides by nobody where there is nobody', async () => {
    dashboard({ 'GET /api/admin/overview': { users: 0, pro: 0, administrators: 0, paymentCustomers: 0 } })
    expect(await screen.findByLabelText('Key figures')).toHaveTextContent('On Pro00% of all users')
  })

  it('can ask for the figures again', async () => {
    let up = false
    dashboard({ 'GET /api/admin/overview': () => (up ? figures : new Refusal(503, 'Away.')) })
    expect(await screen.findByText('Away.')).toBeVisible()
    up = true
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('Key figures')).toBeVisible()
  })

  it('makes customers of everybody, and counts anew', async () => {
    let made = false
    dashboard({
      'GET /api/admin/overview': () => (made ? { ...figures, paymentCustomers: 1204 } : figures),
      'POST /api/admin/backfill-stripe-customers': () => {
        made = true
        return { summary: { processed: 602, errors: 0 }, running: false }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Create customers' }))
    expect(await screen.findByText('Customers created')).toBeVisible()
    await waitFor(() => expect(screen.getByLabelText('Key figures')).toHaveTextContent('1,204100% of all users'))
  })

  it('has a card for every page, with what it is for', async () => {
    dashboard()
    await screen.findByRole('button', { name: 'Create customers' })
    const main = within(screen.getByRole('main'))
    const cards = ['Business', 'Content', 'System'].flatMap((group) => {
      const section = main.getByRole('heading', { level: 2, name: group }).closest('section')
      return within(section ?? expect.fail(`no group ${group}`)).getAllByRole('link')
    })
    expect(cards.map((card) => card.getAttribute('href'))).toEqual([
      '/admin/users',
      '/admin/stripe',
      '/admin/plan-limits',
      '/admin/prompt-engineer',
      '/admin/carousel',
      '/admin/branding',
      '/admin/texts',
      '/admin/signing',
      '/admin/email-templates',
      '/admin/email-broadcast',
      '/admin/email-marketing',
      '/admin/suppressions',
      '/admin/seo',
      '/admin/seo-test',
      '/admin/system',
      '/admin/jobs',
      '/admin/providers',
      '/admin/plugins',
      '/admin/usage',
      '/admin/attempts',
      '/admin/webhooks',
      '/admin/outbox',
      '/admin/audit',
    ])
    for (const card of cards) expect(card).not.toHaveTextContent('admin.dashboard')
    expect(cards[0]).toHaveAccessibleName(/^Users\s*Find users/)
  })

  it('says that figures are still being counted', async () => {
    dashboard()
    expect(await screen.findByText('The figures are being counted')).toBeVisible()
  })

  it('shows the figures of days as numbers that lead to lists, and as a table', async () => {
    const counted = {
      ...uncounted,
      refreshedAt: '2026-11-24T10:00:00Z',
      since: '2026-11-23',
      series: [{ metric: 'signups', label: '', values: [1200, 34], previous: [1000, 0] }],
    }
    const { requests } = dashboard({
      'GET /api/admin/figures': counted,
      'POST /api/admin/figures/rebuild': new Response(null, { status: 204 }),
    })
    const people = within((await screen.findByRole('heading', { name: 'People' })).closest('section') as HTMLElement)
    expect(people.getByRole('link', { name: '1,234' })).toHaveAttribute(
      'href',
      '/admin/users?from=2026-11-23&to=2026-11-24',
    )
    expect(people.getByText('1,000 in the period before')).toBeVisible()
    await userEvent.click(people.getByText('Show as a table'))
    const table = await people.findByRole('table', { name: 'People' })
    expect(within(table).getAllByRole('row')[1]).toHaveTextContent('Nov 23, 20261,200')
    expect(screen.getByRole('link', { name: 'Download as CSV' })).toHaveAttribute(
      'href',
      '/api/admin/figures/file?from=2026-11-23&to=2026-11-24',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Count again' }))
    expect(await screen.findByText(/All days are being counted again/)).toBeVisible()
    expect(requests.map(({ call }) => call)).toContain('POST /api/admin/figures/rebuild')
  })

  it('asks for the days that its address names', async () => {
    const asked: string[] = []
    renderApp('/admin?from=2026-11-01&to=tomorrow', {
      ...studio,
      'GET /api/admin/overview': figures,
      'GET /api/admin/payments/overview': overview,
      'GET /api/admin/figures': (_: unknown, { search }: URL) => {
        asked.push(search)
        return uncounted
      },
    })
    expect(await screen.findByLabelText('From')).toHaveValue('2026-11-01')
    expect(asked).toEqual(['?from=2026-11-01'])
    await userEvent.click(screen.getByLabelText('Last 7 days'))
    await waitFor(() => expect(asked.at(-1)).toMatch(/^\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/))
  })

  it('stands without a payment provider', async () => {
    dashboard({ 'GET /api/admin/payments/overview': new Refusal(503, 'Nobody sells.') })
    expect(await screen.findByLabelText('Key figures')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Create customers' })).toBeNull()
  })

  it('shows open notices on top', async () => {
    const notice = {
      id: 1,
      kind: 'model_retiring',
      code: '',
      instanceId: 'oils',
      params: { label: 'Oils', model: 'oil-1', day: '2026-12-01' },
      firstAt: '2026-10-20T10:00:00Z',
      lastAt: '2026-10-20T10:00:00Z',
      count: 1,
    }
    dashboard({ 'GET /api/admin/notices': [notice] })
    expect(await screen.findByText(/oil-1/)).toBeVisible()
  })

  it('is for administrators', async () => {
    const { requests } = dashboard({ 'GET /api/auth/user': reader })
    expect(await screen.findByText("You don't have admin privileges to access this page.")).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('GET /api/admin/overview')
  })
})
