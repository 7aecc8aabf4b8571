import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { healthOf, instance, painter, studio } from '../test-data'

beforeEach(() => void vi.spyOn(window.location, 'assign').mockImplementation(() => undefined))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const order = async () => screen.findByRole('list', { name: 'Order: Pictures' })
const names = (list: HTMLElement) =>
  within(list)
    .getAllByRole('link')
    .map((link) => link.textContent)
const row = (name: string) =>
  within(screen.getByRole('link', { name }).closest('li') ?? expect.fail(`no row of ${name}`))

describe('the administrators’ area', () => {
  it('denies those who are no administrators, and asks the server for nothing', async () => {
    const { requests } = renderApp('/admin/providers', { 'GET /api/auth/user': reader })
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
    expect(screen.getByText("You don't have admin privileges to access this page.")).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
    for (const link of screen.getAllByRole('link')) expect(link).not.toHaveAttribute('href', '/admin')
    expect(requests.filter(({ call }) => call.includes('/api/admin/') && !call.includes('selected-price'))).toEqual([])
  })

  it('names its pages at the side, and which one is shown', async () => {
    renderApp('/admin/providers', studio)
    expect(await screen.findByRole('heading', { level: 1, name: 'Providers' })).toBeVisible()
    const pages = within(screen.getByRole('navigation', { name: 'Administration' }))
    expect(pages.getByRole('link', { name: 'Providers' })).toHaveAttribute('aria-current', 'page')
    expect(pages.getByRole('link', { name: 'Usage' })).toBeVisible()
  })

  it('says so when something cannot be read, and can ask again', async () => {
    let up = false
    const user = userEvent.setup()
    renderApp('/admin/plugins', { ...studio, 'GET /api/admin/plugins': () => (up ? [] : new Refusal(503, 'Away.')) })
    expect(await screen.findByText('Away.')).toBeVisible()
    up = true
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No plugin is installed')).toBeVisible()
  })
})

describe('the order of providers', () => {
  it('shows which is active, which stands by, and which is not in use', async () => {
    renderApp('/admin/providers', studio)
    expect(names(await order())).toEqual(['Oils', 'Inks'])
    expect(row('Oils').getByText('active')).toBeVisible()
    expect(row('Inks').getByText('fallback')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Not in use' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Chalk' })).toBeVisible()
  })

  it('is changed with Alt and the arrows, at once on the page and then on the server', async () => {
    const user = userEvent.setup()
    let answer: (value: unknown) => void = () => undefined
    const { requests } = renderApp('/admin/providers', {
      ...studio,
      'PUT /api/admin/routes/image': () => new Promise((resolve) => (answer = resolve)),
    })
    await order()
    const up = screen.getByRole('button', { name: 'Move up: Inks' })
    up.focus()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(names(await order())).toEqual(['Inks', 'Oils'])
    expect(screen.getByText('Inks is now number 1 of 2.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Move up: Inks' })).toHaveFocus()
    await waitFor(() =>
      expect(requests).toContainEqual({ call: 'PUT /api/admin/routes/image', body: { instances: ['inks', 'oils'] } }),
    )
    answer({ kind: 'image', instances: ['inks', 'oils'], userChoice: false, revision: 2 })
    expect(await screen.findByText('Order saved')).toBeVisible()
    expect(screen.getByText('Takes effect in every process within 2 seconds.')).toBeVisible()
  })

  it('is as it was when it could not be saved', async () => {
    const user = userEvent.setup()
    renderApp('/admin/providers', { ...studio, 'PUT /api/admin/routes/image': new Refusal(503, 'Not now.') })
    await order()
    await user.click(screen.getByRole('button', { name: 'Move down: Oils' }))
    expect(await screen.findByText('Not now.')).toBeVisible()
    expect(names(await order())).toEqual(['Oils', 'Inks'])
  })

  it('takes in what was not in use, and lets people choose', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers', {
      ...studio,
      'PUT /api/admin/routes/image': (body: unknown) => ({
        kind: 'image',
        revision: 2,
        userChoice: false,
        ...(body as object),
      }),
    })
    await order()
    await user.click(screen.getByRole('button', { name: 'Actions for Chalk' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Use it' }))
    await waitFor(() =>
      expect(requests).toContainEqual({
        call: 'PUT /api/admin/routes/image',
        body: { instances: ['oils', 'inks', 'chalk'] },
      }),
    )
    await user.click(screen.getByRole('switch', { name: 'Let users choose' }))
    await waitFor(() =>
      expect(requests.findLast(({ call }) => call.startsWith('PUT'))?.body).toMatchObject({ userChoice: true }),
    )
  })
})

describe('the row of a provider', () => {
  it('tells what nobody knows as unknown, never as nothing', async () => {
    const known = healthOf('oils', {
      lastSuccessAt: new Date(Date.now() - 120_000).toISOString(),
      successRate: 0.975,
      p50Ms: 31_200,
      p95Ms: 62_000,
      spentTodayMicros: 4_310_000,
      unknownToday: 3,
    })
    renderApp('/admin/providers', { ...studio, 'GET /api/admin/health': [known, healthOf('inks')] })
    await order()
    expect(await screen.findByText('2 minutes ago')).toBeVisible()
    const oils = row('Oils')
    for (const figure of ['97.5%', '31.2 sec', '62 sec', '3 calls of unknown cost'])
      expect(oils.getByText(figure)).toBeVisible()
    expect(oils.getByText(/4\.31/)).toBeVisible()
    expect(row('Inks').getByText('unknown')).toBeVisible()
    expect(row('Inks').queryByText(/0\.00/)).toBeNull()
  })

  it('tells that nothing was asked for today, instead of an amount', async () => {
    const idle = healthOf('oils', { successRate: 1, p50Ms: 900, p95Ms: 1_200, callsToday: 0, spentTodayMicros: 0 })
    renderApp('/admin/providers', { ...studio, 'GET /api/admin/health': [idle] })
    await order()
    expect(await row('Oils').findByText('no calls')).toBeVisible()
    expect(row('Oils').queryByText(/0\.00/)).toBeNull()
  })

  it('tells its state, the reason, and settings that are not in use', async () => {
    const inks = instance({
      id: 'inks',
      label: 'Inks',
      state: 'down',
      reason: 'unavailable',
      notice: 'Revision 2 failed.',
    })
    renderApp('/admin/providers', { ...studio, 'GET /api/admin/instances': [inks], 'GET /api/admin/health': [] })
    expect(await screen.findByText('Down')).toBeVisible()
    expect(screen.getByText('It cannot be reached.')).toBeVisible()
    expect(screen.getByText('Revision 2 failed.')).toBeVisible()
  })

  it('is deleted after a question', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers', {
      ...studio,
      'DELETE /api/admin/instances/chalk': () => new Response(null, { status: 204 }),
    })
    await order()
    await user.click(screen.getByRole('button', { name: 'Actions for Chalk' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Chalk”?' }))
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('“Chalk” was deleted')).toBeVisible()
    expect(requests.map(({ call }) => call)).toContain('DELETE /api/admin/instances/chalk')
  })

  it.each([
    [{ origin: 'file' as const }, /declared in the configuration file/],
    [{ inUse: 2381 }, /2,381 pictures are still kept there/],
  ])('says why it cannot be deleted', async (over, why) => {
    const user = userEvent.setup()
    const chalk = instance({ id: 'chalk', label: 'Chalk', ...over })
    renderApp('/admin/providers', { ...studio, 'GET /api/admin/instances': [chalk] })
    await user.click(await screen.findByRole('button', { name: 'Actions for Chalk' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    expect(await screen.findByText(why)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  })
})

describe('notices', () => {
  const notice = {
    id: 7,
    kind: 'model_retiring',
    instanceId: 'oils',
    code: 'soon',
    params: { label: 'Oils', model: 'oil-1', day: '2026-12-01', replacement: 'oil-2' },
    openedAt: '2026-10-01T10:00:00Z',
    lastAt: '2026-10-01T10:00:00Z',
    count: 1,
    resolvedAt: null,
  }

  it('say of a service at its rate limit that it accepts nothing for a while', async () => {
    const limited = { ...notice, kind: 'instance_down', code: 'rate_limited' }
    renderApp('/admin/providers', { ...studio, 'GET /api/admin/notices': [limited] })
    expect(await screen.findByText(/“Oils” has reached its rate limit and accepts no calls for a while/)).toBeVisible()
  })

  it('stand on top until they are dismissed', async () => {
    const user = userEvent.setup()
    let open = [notice]
    renderApp('/admin/providers', {
      ...studio,
      'GET /api/admin/notices': () => open,
      'POST /api/admin/notices/7/dismiss': () => {
        open = []
        return new Response(null, { status: 204 })
      },
    })
    expect(await screen.findByText(/oil-1 of “Oils” will be retired on Dec 1, 2026. Switch to oil-2/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Notices' })).toBeNull())
  })
})

describe('adding a provider', () => {
  const compared = {
    purposes: ['best_pictures' as const],
    cost: 'paid' as const,
    reach: 'vendor' as const,
    vendor: 'Easel Works',
    priceMicros: 45_000,
    priceAsof: '2026-11-24',
    seconds: 15,
  }
  const easel = { ...painter, id: 'easel', label: 'Easel', comparison: compared }
  const garage = {
    ...painter,
    id: 'garage',
    label: 'Garage',
    summary: 'Paints in your own garage.',
    comparison: {
      ...compared,
      purposes: ['own_hardware' as const],
      cost: 'free' as const,
      reach: 'chosen' as const,
      vendor: '',
      priceMicros: null,
      priceAsof: null,
      seconds: null,
    },
  }
  const plain = { ...painter, id: 'plain', label: 'Plain' }
  const offers = { ...studio, 'GET /api/admin/providers': [painter, easel, garage, plain] }
  const open = async () => {
    renderApp('/admin/providers', offers)
    await userEvent.click(await screen.findByRole('button', { name: 'Add provider: Pictures' }))
    return within(await screen.findByRole('dialog', { name: 'Choose a provider' }))
  }

  it('shows price, speed and privacy of each that tells them', async () => {
    const dialog = await open()
    const card = within(dialog.getByRole('link', { name: /^Easel/ }))
    expect(card.getByText(/0\.045.* a cover with the default settings, as of Nov 24, 2026\./)).toBeVisible()
    expect(card.getByText(/About 15 sec a cover/)).toBeVisible()
    expect(card.getByText('Data go to Easel Works.')).toBeVisible()
    const own = within(dialog.getByRole('link', { name: /^Garage/ }))
    expect(own.getByText('No charge.')).toBeVisible()
    expect(own.queryByText('Speed')).toBeNull()
    expect(within(dialog.getByRole('link', { name: /^Plain/ })).queryByText('Price')).toBeNull()
  })

  it('finds by purpose and by words, and says how many', async () => {
    const user = userEvent.setup()
    const dialog = await open()
    await user.click(dialog.getByRole('radio', { name: 'Hardware of your own' }))
    expect(dialog.getAllByRole('link').map((link) => link.textContent)).toEqual([expect.stringMatching(/^Garage/)])
    expect(dialog.getByRole('status')).toHaveTextContent('1 provider')
    await user.click(dialog.getByRole('radio', { name: 'All' }))
    await user.type(dialog.getByRole('searchbox', { name: 'Search providers' }), 'works easel')
    expect(dialog.getAllByRole('link')).toHaveLength(1)
    await user.type(dialog.getByRole('searchbox'), ' nowhere')
    expect(dialog.getByText('No provider matches')).toBeVisible()
  })
})
