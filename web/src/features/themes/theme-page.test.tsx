import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { coverOf, later, theme, themeOf } from './test-themes'

const harbours = themeOf(3, 2, { name: 'Harbours', description: 'All blue', usageCount: 5 })

/** The page of theme 3 before a server whose answers are written here. */
function open(answers: Record<string, unknown> = {}, path = '/theme/3') {
  const { requests, router } = renderApp(path, {
    'GET /api/auth/user': reader,
    'GET /api/covers': [],
    'GET /api/themes': [harbours],
    'GET /api/themes/3': harbours,
    'GET /api/themes/3/covers': [coverOf(2), coverOf(1)],
    'GET /api/themes/3/series': { look: null, volumes: [], run: null },
    'GET /api/themes/3/shelf': [],
    ...answers,
  })
  return {
    router,
    sent: (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body),
    calls: (call: string) => requests.filter((request) => request.call === call).length,
  }
}

const covers = async () => within(await screen.findByRole('region', { name: 'Covers of this theme' }))

beforeEach(() => {
  localStorage.clear()
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the page of a theme', () => {
  it('asks a visitor to sign in', async () => {
    const { calls } = open({ 'GET /api/auth/user': new Refusal(401, 'You are signed out.') })
    expect(await screen.findByRole('heading', { name: 'Sign in to see this theme' })).toBeVisible()
    const main = within(screen.getByRole('main'))
    expect(main.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/api/login')
    expect(calls('GET /api/themes/3')).toBe(0)
  })

  it('shows a turning wheel until the theme is there', async () => {
    const answer = later<ThemeOut>()
    open({ 'GET /api/themes/3': () => answer.promise })
    await waitFor(() => expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent('Loading...'))
    answer.keep(harbours)
    expect(await screen.findByRole('heading', { name: 'Harbours' })).toBeVisible()
  })

  it.each(['/theme/4', '/theme/abc', '/theme/0'])('leads back home from %s, where no theme is', async (path) => {
    const { router, calls } = open({}, path)
    expect(await screen.findByRole('heading', { name: 'Theme not found' })).toBeVisible()
    expect(calls('GET /api/themes/abc') + calls('GET /api/themes/0')).toBe(0)
    await userEvent.setup().click(screen.getByRole('link', { name: 'Back home' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })

  it('says why the theme cannot be read, and tries again', async () => {
    const user = userEvent.setup()
    let answer: unknown = new Refusal(503, 'The shelves are being painted.')
    open({ 'GET /api/themes/3': () => answer })
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('The shelves are being painted.')
    answer = harbours
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Harbours' })).toBeVisible()
  })

  it('tells name, description, uses, style and colors', async () => {
    open()
    expect(await screen.findByRole('heading', { level: 1, name: 'Harbours' })).toBeVisible()
    expect(screen.getByText('All blue')).toBeVisible()
    expect(screen.getByText('Used 5 times')).toBeVisible()
    expect(screen.getByText('linocut, two inks')).toBeVisible()
    expect(screen.getByRole('list', { name: 'Colors' })).toHaveTextContent('#0B1F2A#FF6F61#F9F7E8')
  })

  it('has the generator of the theme first, and its covers then', async () => {
    open()
    await (await covers()).findByText('Volume 2')
    await screen.findByRole('heading', { name: 'No look is locked' })
    const headings = within(screen.getByRole('main')).getAllByRole('heading')
    expect(headings.map(({ textContent }) => textContent)).toEqual([
      'Harbours',
      'Style prompt',
      'Next in the series',
      'Series',
      'On the shelf',
      'No look is locked',
      'Covers of this theme',
    ])
  })

  it('goes home when the theme was deleted, and not before that is confirmed', async () => {
    const user = userEvent.setup()
    const { router, calls } = open({ 'DELETE /api/themes/3': new Response(null, { status: 204 }) })
    await user.click(await screen.findByRole('button', { name: 'Delete theme' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this theme?' }))
    expect(calls('DELETE /api/themes/3')).toBe(0)
    await user.click(dialog.getByRole('button', { name: 'Delete theme' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    expect(await screen.findByText('Theme deleted')).toBeVisible()
    expect(screen.queryByText('Theme not found')).toBeNull()
  })

  it('stays when the theme could not be deleted, and says so', async () => {
    const user = userEvent.setup()
    const { router } = open({ 'DELETE /api/themes/3': new Refusal(500, 'Not now.') })
    await user.click(await screen.findByRole('button', { name: 'Delete theme' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this theme?' }))
    await user.click(dialog.getByRole('button', { name: 'Delete theme' }))
    expect(await screen.findByText('Failed to delete theme. Please try again.')).toBeVisible()
    expect(router.state.location.pathname).toBe('/theme/3')
  })
})

describe('editing the theme', () => {
  const edit = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await screen.findByRole('button', { name: 'Edit theme' }))
    return within(await screen.findByRole('dialog', { name: 'Edit theme' }))
  }

  it('is changed to what is typed, without the blanks around it', async () => {
    const user = userEvent.setup()
    let now = harbours
    const { sent } = open({
      'GET /api/themes/3': () => now,
      'PATCH /api/themes/3': (body: object) => {
        now = { ...now, ...body }
        return now
      },
    })
    const dialog = await edit(user)
    const field = dialog.getByLabelText('Style prompt')
    expect(field).toHaveValue('linocut, two inks')
    await user.clear(field)
    await user.type(field, '   ')
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await user.type(field, 'gouache ')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Theme updated')).toBeVisible()
    expect(sent('PATCH /api/themes/3')).toEqual([{ stylePrompt: 'gouache' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByText('gouache')).toBeVisible()
  })

  it('changes name, description and colors, and sends nothing else', async () => {
    const user = userEvent.setup()
    let now = harbours
    const { sent } = open({
      'GET /api/themes/3': () => now,
      'PATCH /api/themes/3': (body: object) => {
        now = { ...now, ...body }
        return now
      },
    })
    const dialog = await edit(user)
    const name = dialog.getByLabelText('Name')
    await user.clear(name)
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(name).toHaveAccessibleDescription('Theme name is required'))
    expect(sent('PATCH /api/themes/3')).toEqual([])
    await user.type(name, 'Piers')
    await user.clear(dialog.getByLabelText('Description'))
    await user.click(dialog.getByRole('button', { name: 'Remove color 3' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent('PATCH /api/themes/3')).toEqual([{ name: 'Piers', description: '', colors: ['#0B1F2A', '#FF6F61'] }]),
    )
    expect(await screen.findByRole('heading', { level: 1, name: 'Piers' })).toBeVisible()
  })

  it('that could not be changed stays in its form, and a toast says so', async () => {
    const user = userEvent.setup()
    open({ 'PATCH /api/themes/3': new Refusal(500, 'Not now.') })
    const dialog = await edit(user)
    await user.type(dialog.getByLabelText('Style prompt'), '!')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Failed to update the theme. Please try again.')).toBeVisible()
    expect(dialog.getByLabelText('Style prompt')).toHaveValue('linocut, two inks!')
  })
})

describe('the covers of a theme', () => {
  it('show title and date, or that they are recent', async () => {
    open({ 'GET /api/themes/3/covers': [coverOf(2), coverOf(1, { title: '', createdAt: 'some day' })] })
    await (await covers()).findByText('Volume 2')
    const [dated, undated] = (await covers()).getAllByRole('listitem')
    expect(dated).toHaveTextContent('Volume 2Today')
    expect(undated).toHaveTextContent('UntitledRecently')
  })

  it('are taken out of it once that is confirmed', async () => {
    const user = userEvent.setup()
    let there = [coverOf(2), coverOf(1)]
    const { calls } = open({
      'GET /api/themes/3/covers': () => there,
      'DELETE /api/covers/2/theme': () => {
        there = there.slice(1)
        return coverOf(2, { themeId: null })
      },
    })
    await user.click(await (await covers()).findByRole('button', { name: 'Remove Volume 2 from the theme' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove this cover from the theme?' }))
    expect(calls('DELETE /api/covers/2/theme')).toBe(0)
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Removed from theme')).toBeVisible()
    await waitFor(async () => expect((await covers()).queryByText('Volume 2')).toBeNull())
    expect((await covers()).getByText('Volume 1')).toBeVisible()
  })

  it('stay when they could not be taken out, and a toast says so', async () => {
    const user = userEvent.setup()
    open({ 'DELETE /api/covers/2/theme': new Refusal(500, 'Not now.') })
    await user.click(await (await covers()).findByRole('button', { name: 'Remove Volume 2 from the theme' }))
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Failed to remove cover from theme. Please try again.')).toBeVisible()
    expect((await covers()).getByText('Volume 2')).toBeVisible()
  })

  it('are reached by a menu where nothing hovers', async () => {
    const user = userEvent.setup()
    open()
    await user.click(await (await covers()).findByRole('button', { name: 'Actions for Volume 1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Remove from theme' }))
    expect(await screen.findByRole('dialog', { name: 'Remove this cover from the theme?' })).toBeVisible()
  })

  it('tell how they were made', async () => {
    const user = userEvent.setup()
    const { calls } = open()
    await user.click(await (await covers()).findByRole('button', { name: 'Volume 2' }))
    expect(await screen.findByRole('dialog')).toBeVisible()
    await waitFor(() => expect(calls('GET /api/covers/2/details')).toBe(1))
  })

  it('that are none say how to get one', async () => {
    open({ 'GET /api/themes/3': theme(3), 'GET /api/themes/3/covers': [] })
    expect(await (await covers()).findByText('No cover belongs to this theme yet')).toBeVisible()
  })

  it('go on to the next page where the server says there is one', async () => {
    const user = userEvent.setup()
    open({
      'GET /api/themes/3/covers': (_: unknown, { searchParams }: URL) => {
        const link = '</api/themes/3/covers?limit=24&cursor=abc>; rel="next"'
        const rows = (id: number): CoverOut[] => [coverOf(id)]
        return searchParams.get('cursor') === 'abc'
          ? Response.json(rows(1))
          : Response.json(rows(2), { headers: searchParams.get('limit') === '24' ? { link } : {} })
      },
    })
    await user.click(await (await covers()).findByRole('button', { name: 'Load more' }))
    expect(await (await covers()).findByText('Volume 1')).toBeVisible()
  })
})
