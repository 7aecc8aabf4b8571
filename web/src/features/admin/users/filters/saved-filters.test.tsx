import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SavedFilterIn, SavedFilterOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const filter = (id: number, name: string, more: Partial<SavedFilterOut> = {}): SavedFilterOut => ({
  id,
  name,
  search: '',
  role: 'all',
  from: null,
  to: null,
  sort: 'newest',
  ...more,
})
const FILTERS = '/api/admin/users/filters'

/** The list of users before a server that keeps filters. */
function page(
  stored: SavedFilterOut[],
  { path = '/admin/users', most = 50, ...answers }: Record<string, unknown> = {},
) {
  let kept = stored
  const shown = renderApp(String(path), {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/users': [],
    'GET /api/admin/overview': { users: 0, pro: 0, administrators: 1, paymentCustomers: 0 },
    [`GET ${FILTERS}`]: () => ({ filters: kept, most }),
    [`POST ${FILTERS}`]: (body: SavedFilterIn) => {
      const made = filter(9, body.name, body as Partial<SavedFilterOut>)
      kept = [...kept, made]
      return made
    },
    [`PATCH ${FILTERS}/1`]: ({ name }: { name: string }) => {
      kept = kept.map((one) => (one.id === 1 ? { ...one, name } : one))
      return kept[0]
    },
    [`DELETE ${FILTERS}/1`]: () => {
      kept = kept.filter(({ id }) => id !== 1)
      return new Response(null, { status: 204 })
    },
    ...(answers as Record<string, unknown>),
  })
  return {
    ...shown,
    bodies: (call: string) => shown.requests.filter((one) => one.call === call).map(({ body }) => body),
  }
}

const open = async (name = 'Saved filters') => userEvent.click(await screen.findByRole('button', { name }))
const item = (name: string | RegExp) => screen.findByRole('menuitem', { name })
const owing = filter(1, 'Owing', { role: 'past_due', sort: 'seen', from: '2026-01-01' })

describe('saved filters', () => {
  it('are applied, all of them, and tell which is in use', async () => {
    const { router } = page([owing], { path: '/admin/users?search=ada&to=2026-05-05' })
    await open()
    await userEvent.click(await item('Owing'))
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ role: 'past_due', sort: 'seen', from: '2026-01-01' }),
    )
    expect(await screen.findByRole('combobox', { name: 'Show' })).toHaveValue('past_due')
    await open('Owing')
    expect(await item('Owing in use')).toBeVisible()
    expect(await item('Save this filter…')).toHaveAttribute('aria-disabled', 'true')
  })

  it('are saved with all that is asked for', async () => {
    const { bodies } = page([], { path: '/admin/users?search=ada&role=gift' })
    await open()
    expect(await item('No filter has been saved yet')).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(await item('Save this filter…'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this filter' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Please give it a name.')).toBeVisible()
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), '  Gifts to Ada ')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodies(`POST ${FILTERS}`)).toEqual([{ name: 'Gifts to Ada', search: 'ada', role: 'gift' }])
    expect(await screen.findByRole('button', { name: 'Gifts to Ada' })).toBeVisible()
  })

  it('say at the field that a name is taken', async () => {
    const taken = new Refusal(422, 'Wrong', { name: 'Another filter has this name.' }, 'validation', {
      name: { code: 'name_taken' },
    })
    page([owing], { path: '/admin/users?role=gift', [`POST ${FILTERS}`]: taken })
    await open()
    await userEvent.click(await item('Save this filter…'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this filter' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Owing{Enter}')
    expect(await dialog.findByText('Another filter has this name.')).toBeVisible()
  })

  it('are renamed, deleted and brought back', async () => {
    const { bodies } = page([owing])
    await open()
    await userEvent.click(await item('Rename or delete…'))
    await userEvent.click(await screen.findByRole('button', { name: 'Rename Owing' }))
    const field = await screen.findByRole('textbox', { name: 'Name' })
    expect(field).toHaveValue('Owing')
    await userEvent.clear(field)
    await userEvent.type(field, 'In arrears{Enter}')
    await userEvent.click(await screen.findByRole('button', { name: 'Delete In arrears' }))
    expect(await screen.findByText('No filter has been saved yet')).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(bodies(`POST ${FILTERS}`)).toEqual([
        { name: 'In arrears', role: 'past_due', sort: 'seen', from: '2026-01-01' },
      ]),
    )
    expect(await screen.findByRole('button', { name: 'Delete In arrears' })).toBeVisible()
  })

  it('have a limit, and need something to be saved', async () => {
    page([owing], { path: '/admin/users?role=gift', most: 1 })
    await open()
    expect(await item('There is no room for another filter')).toHaveAttribute('aria-disabled', 'true')
  })

  it('do not hold up the list when they cannot be loaded', async () => {
    page([], { [`GET ${FILTERS}`]: new Refusal(503, 'Away.') })
    await open()
    expect(await item('They could not be loaded. Try again')).toBeVisible()
  })
})
