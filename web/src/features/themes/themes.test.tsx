import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ThemeOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { coverOf, later, theme, themeOf } from './test-themes'

const LIST = 'GET /api/themes'
const CREATE = 'POST /api/themes'
const noContent = () => new Response(null, { status: 204 })

/** The home screen before a server whose answers are written here; its themes are what is looked at. */
function open(answers: Record<string, unknown>) {
  const { requests, router } = renderApp('/', {
    'GET /api/auth/user': reader,
    'GET /api/covers': [],
    ...answers,
  })
  return {
    router,
    sent: (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body),
    calls: (call: string) => requests.filter((request) => request.call === call).length,
  }
}

const section = async () => within(await screen.findByRole('region', { name: 'My Themes' }))
const card = async (name: string) => {
  const link = await (await section()).findByRole('link', { name })
  return within(link.closest('li') as HTMLElement)
}

beforeEach(() => {
  localStorage.clear()
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the themes', () => {
  it('hold three places until they are there', async () => {
    const answer = later<ThemeOut[]>()
    open({ [LIST]: () => answer.promise })
    const waiting = await (await section()).findByRole('status')
    expect(waiting).toHaveTextContent('Loading...')
    expect(waiting.querySelector('[data-skeletons]')?.children).toHaveLength(3)
    answer.keep([theme(1)])
    await card('Theme 1')
    expect(waiting).not.toBeInTheDocument()
  })

  it('are begun from an empty state', async () => {
    const user = userEvent.setup()
    open({ [LIST]: [] })
    const there = await section()
    expect(await there.findByText('A series begins with a look')).toBeVisible()
    await user.click(there.getByRole('button', { name: 'Create your first theme' }))
    expect(await screen.findByRole('dialog', { name: 'New theme' })).toBeVisible()
  })

  it('show name, description and how often they were used', async () => {
    open({ [LIST]: [theme(1, { name: 'Harbours', description: 'All blue', usageCount: 1 }), theme(2)] })
    expect((await card('Harbours')).getByText('All blue')).toBeVisible()
    expect((await card('Harbours')).getByText('Used 1 time')).toBeVisible()
    expect((await card('Theme 2')).getByText('Custom theme')).toBeVisible()
    expect((await card('Theme 2')).getByText('Used 3 times')).toBeVisible()
  })

  it('show four covers at most, one by itself, or their colors', async () => {
    open({ [LIST]: [themeOf(1, 6), themeOf(2, 1), theme(3)] })
    await card('Theme 1')
    const [many, one, none] = (await section()).getAllByRole('listitem') as [HTMLElement, HTMLElement, HTMLElement]
    expect(many.querySelectorAll('img')).toHaveLength(4)
    expect(within(many).getByText('6 covers')).toBeVisible()
    expect(one.querySelectorAll('img')).toHaveLength(1)
    expect(within(one).queryByText('1 cover')).toBeNull()
    expect(none.querySelectorAll('img')).toHaveLength(0)
    expect(none.querySelector<HTMLElement>('[data-gradient]')?.style.backgroundImage).toMatch(/linear-gradient/)
    expect(many.querySelector('[data-gradient]')).toBeNull()
  })

  it('go on to the next page where the server says there is one', async () => {
    const user = userEvent.setup()
    open({
      [LIST]: (_: unknown, { searchParams }: URL) => {
        const next = { headers: { link: '</api/themes?limit=12&cursor=abc>; rel="next"' } }
        return searchParams.get('cursor') === 'abc'
          ? Response.json([theme(1)])
          : Response.json([theme(2)], searchParams.get('limit') === '12' ? next : {})
      },
    })
    await card('Theme 2')
    await user.click((await section()).getByRole('button', { name: 'Load more' }))
    await card('Theme 1')
    await waitFor(() => expect(screen.getByRole('link', { name: 'Theme 1' })).toHaveFocus())
    expect((await section()).queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  it('say why they cannot be read, and are tried again', async () => {
    const user = userEvent.setup()
    let answer: unknown = new Refusal(503, 'The shelves are being painted.')
    open({ [LIST]: () => answer })
    const alert = await (await section()).findByRole('alert')
    expect(alert).toHaveTextContent('Your themes could not be loaded')
    answer = [theme(1)]
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await card('Theme 1')).toBeDefined()
  })

  it('are opened by a click', async () => {
    const user = userEvent.setup()
    const { router } = open({ [LIST]: [theme(3, { name: 'Harbours' })], 'GET /api/themes/3': theme(3) })
    await card('Harbours')
    await user.click(screen.getByRole('link', { name: 'Harbours' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/theme/3'))
  })

  it('are used in the generator, which takes the focus', async () => {
    const user = userEvent.setup()
    open({ [LIST]: [theme(1), theme(2)] })
    await user.click((await card('Theme 2')).getByRole('button', { name: 'Use this theme: Theme 2' }))
    expect(screen.getByRole('combobox', { name: 'Theme' })).toHaveValue('2')
    expect(screen.getByLabelText('What is the book about?')).toHaveFocus()
  })

  it('are deleted once that is confirmed, and the covers are fetched again', async () => {
    const user = userEvent.setup()
    let themes = [theme(1, { name: 'Harbours' }), theme(2)]
    const { calls } = open({
      [LIST]: () => themes,
      'DELETE /api/themes/1': () => {
        themes = themes.slice(1)
        return noContent()
      },
    })
    const remove = (await card('Harbours')).getByRole('button', { name: 'Delete the theme Harbours' })
    await user.click(remove)
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this theme?' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(calls('DELETE /api/themes/1')).toBe(0)
    await user.click(remove)
    const before = calls('GET /api/covers')
    await user.click(await screen.findByRole('button', { name: 'Delete theme' }))
    expect(await screen.findByText('Theme deleted')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Harbours' })).toBeNull())
    expect(calls('GET /api/covers')).toBeGreaterThan(before)
  })

  it('stay when they could not be deleted, which is told', async () => {
    const user = userEvent.setup()
    open({ [LIST]: [theme(1)], 'DELETE /api/themes/1': new Refusal(503, 'Not now.') })
    await user.click((await card('Theme 1')).getByRole('button', { name: /^Delete/ }))
    await user.click(await screen.findByRole('button', { name: 'Delete theme' }))
    expect(await screen.findByText('Failed to delete theme. Please try again.')).toBeVisible()
    expect(screen.getByText('Error')).toBeVisible()
    expect(await card('Theme 1')).toBeDefined()
  })

  it('send to sign-in when the session has ended', async () => {
    const user = userEvent.setup()
    open({ [LIST]: [theme(1)], 'DELETE /api/themes/1': new Refusal(401, 'You are signed out.') })
    await user.click((await card('Theme 1')).getByRole('button', { name: /^Delete/ }))
    await user.click(await screen.findByRole('button', { name: 'Delete theme' }))
    expect(await screen.findByText('You are logged out. Logging in again...')).toBeVisible()
    expect(screen.queryByText('Failed to delete theme. Please try again.')).toBeNull()
  })
})

describe('a new theme', () => {
  const dialog = async (user: UserEvent) => {
    await user.click(await (await section()).findByRole('button', { name: 'New theme' }))
    return within(await screen.findByRole('dialog', { name: 'New theme' }))
  }

  it('has the four usual colors, and is sent without blanks; the form closes and is empty the next time', async () => {
    const user = userEvent.setup()
    const themes = [theme(1)]
    const { sent } = open({
      [LIST]: () => themes,
      [CREATE]: (body: object) => {
        themes.unshift(theme(2, body))
        return Response.json(themes[0], { status: 201 })
      },
    })
    const form = await dialog(user)
    await user.type(form.getByLabelText('Name'), '  Harbours ')
    await user.type(form.getByLabelText('Style prompt'), ' linocut ')
    await user.click(form.getByRole('button', { name: 'Create theme' }))
    expect(await screen.findByText('Theme Saved!')).toBeVisible()
    expect(screen.getByText('Your new theme has been created.')).toBeVisible()
    expect(sent(CREATE)).toEqual([
      { name: 'Harbours', colors: ['#6366F1', '#F59E0B', '#10B981', '#111827'], stylePrompt: 'linocut' },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await card('Harbours')).toBeDefined()
    const again = await dialog(user)
    expect(again.getByLabelText('Name')).toHaveValue('')
    expect(again.getAllByLabelText(/^Color \d$/)).toHaveLength(4)
  })

  it('says all that is missing at once, each at its field', async () => {
    const user = userEvent.setup()
    const { sent } = open({ [LIST]: [theme(1)] })
    const form = await dialog(user)
    await user.type(form.getByLabelText('Name'), '   ')
    for (let left = 4; left > 0; left -= 1) await user.click(form.getByRole('button', { name: `Remove color ${left}` }))
    await user.click(form.getByRole('button', { name: 'Create theme' }))
    await waitFor(() => expect(form.getByLabelText('Name')).toHaveAccessibleDescription('Theme name is required'))
    expect(form.getByLabelText('Style prompt')).toHaveAccessibleDescription('Style prompt is required')
    expect(form.getByRole('group', { name: 'Colors' })).toHaveAccessibleDescription('At least one color is required')
    expect(sent(CREATE)).toEqual([])
  })

  it('takes one to eight colors from pickers, and says whether type can be read in them', async () => {
    const user = userEvent.setup()
    const { sent } = open({ [LIST]: [theme(1)], [CREATE]: () => Response.json(theme(2), { status: 201 }) })
    const form = await dialog(user)
    const colors = form.getByRole('group', { name: 'Colors' })
    expect(colors).toHaveAccessibleDescription(/easy to read: contrast of 8\.\d : 1/)
    fireEvent.change(form.getByLabelText('Color 1'), { target: { value: '#0b1f2a' } })
    await user.click(form.getByRole('button', { name: 'Remove color 4' }))
    await user.click(form.getByRole('button', { name: 'Remove color 3' }))
    await user.click(form.getByRole('button', { name: 'Remove color 2' }))
    const add = form.getByRole('button', { name: 'Add a color' })
    for (let count = 1; count < 8; count += 1) await user.click(add)
    expect(add).toBeDisabled()
    for (let left = 8; left > 2; left -= 1) await user.click(form.getByRole('button', { name: `Remove color ${left}` }))
    fireEvent.change(form.getByLabelText('Color 2'), { target: { value: '#123456' } })
    expect(colors).toHaveAccessibleDescription(/^Contrast of only 1\.\d : 1/)
    await user.type(form.getByLabelText('Name'), 'Harbours')
    await user.type(form.getByLabelText('Description'), 'All blue')
    await user.type(form.getByLabelText('Style prompt'), 'linocut')
    await user.click(form.getByRole('button', { name: 'Create theme' }))
    await waitFor(() =>
      expect(sent(CREATE)).toEqual([
        { name: 'Harbours', description: 'All blue', colors: ['#0B1F2A', '#123456'], stylePrompt: 'linocut' },
      ]),
    )
  })

  it('that the server refuses stays in its form, with the reason', async () => {
    const user = userEvent.setup()
    let answer = new Refusal(422, 'Another name.', { name: 'Another name, please.' })
    open({ [LIST]: [theme(1)], [CREATE]: () => answer })
    const form = await dialog(user)
    await user.type(form.getByLabelText('Name'), 'Harbours')
    await user.type(form.getByLabelText('Style prompt'), 'linocut')
    await user.click(form.getByRole('button', { name: 'Create theme' }))
    await waitFor(() => expect(form.getByLabelText('Name')).toHaveAccessibleDescription('Another name, please.'))
    answer = new Refusal(503, 'Not now.')
    await user.type(form.getByLabelText('Name'), '!')
    await user.click(form.getByRole('button', { name: 'Create theme' }))
    expect(await form.findByRole('alert')).toHaveTextContent('Not now.')
    expect(form.getByLabelText('Name')).toHaveValue('Harbours!')
  })
})

describe('a quick theme', () => {
  const create = async (user: UserEvent, name: string) => {
    const generator = within(await screen.findByRole('region', { name: 'New cover' }))
    await user.click(generator.getByRole('button', { name: 'New theme' }))
    await user.type(generator.getByLabelText('Name of the new theme'), name)
    await user.click(generator.getByRole('button', { name: 'Create' }))
    return generator
  }

  it('is made of its name alone, and is then the chosen one', async () => {
    const user = userEvent.setup()
    let themes: ThemeOut[] = []
    const { sent } = open({
      [LIST]: () => themes,
      [CREATE]: (body: object) => {
        themes = [theme(9, body)]
        return Response.json(themes[0], { status: 201 })
      },
    })
    await create(user, '  Sea ')
    expect(await screen.findByText('Theme Saved!')).toBeVisible()
    expect(sent(CREATE)).toEqual([
      {
        name: 'Sea',
        description: 'Custom theme - Sea',
        colors: ['#6366F1', '#F59E0B', '#10B981', '#111827'],
        stylePrompt: 'Create covers in the style of Sea',
      },
    ])
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Theme' })).toHaveValue('9'))
    expect(screen.getByRole('option', { name: 'Sea' })).toBeInTheDocument()
    expect(await card('Sea')).toBeDefined()
  })

  it('needs a name; Enter makes it, Escape forgets it, and neither sends the form around it', async () => {
    const user = userEvent.setup()
    const { sent } = open({ [LIST]: [], [CREATE]: () => Response.json(theme(9), { status: 201 }) })
    const generator = await create(user, '   ')
    expect(generator.getByLabelText('Name of the new theme')).toHaveAccessibleDescription('Theme name is required')
    expect(sent(CREATE)).toEqual([])
    await user.keyboard('{Escape}')
    expect(generator.queryByLabelText('Name of the new theme')).toBeNull()
    await user.click(generator.getByRole('button', { name: 'New theme' }))
    await user.keyboard('Sea{Enter}')
    await waitFor(() => expect(sent(CREATE)).toHaveLength(1))
    expect(screen.queryByText('Missing Prompt')).toBeNull()
  })

  it('that could not be made says so', async () => {
    const user = userEvent.setup()
    open({ [LIST]: [], [CREATE]: new Refusal(503, 'Not now.') })
    const generator = await create(user, 'Sea')
    expect(await screen.findByText('Theme creation failed')).toBeVisible()
    expect(generator.getByLabelText('Name of the new theme')).toHaveValue('Sea')
  })
})

describe('a theme after a cover', () => {
  const FROM = 'POST /api/themes/from-cover'

  /** Makes a cover and asks for a theme after it. */
  async function start(user: UserEvent, answers: Record<string, unknown>) {
    class Stream extends EventTarget {
      constructor() {
        super()
        const status = { id: 'g-1', batchId: 'g-1', status: 'completed', phase: 'done', result: coverOf(7) }
        setTimeout(() => this.dispatchEvent(new MessageEvent('status', { data: JSON.stringify(status) })))
      }
      close() {}
    }
    vi.stubGlobal('EventSource', Stream)
    vi.stubGlobal(
      'Image',
      class {
        decode = async () => undefined
      },
    )
    const opened = open({
      [LIST]: [],
      'POST /api/generate-cover': { generationId: 'g-1', generationIds: ['g-1'] },
      ...answers,
    })
    await user.type(await screen.findByLabelText('What is the book about?'), 'A lighthouse')
    await user.click(screen.getByRole('button', { name: 'Generate cover' }))
    await user.click(await screen.findByRole('button', { name: 'Start theme' }))
    return { ...opened, dialog: within(await screen.findByRole('dialog', { name: 'Start a theme' })) }
  }

  it('is named, sent without blanks, and told', async () => {
    const user = userEvent.setup()
    const { dialog, sent, calls } = await start(user, { [FROM]: () => Response.json(theme(4), { status: 201 }) })
    const name = dialog.getByLabelText('Name of the theme')
    expect(name).toHaveValue('Volume 7')
    await user.clear(name)
    await user.type(name, '   ')
    await user.click(dialog.getByRole('button', { name: 'Start theme' }))
    expect(name).toHaveAccessibleDescription('Theme name is required')
    expect(sent(FROM)).toEqual([])
    await user.type(name, 'Lights ')
    const before = calls('GET /api/covers')
    await user.click(dialog.getByRole('button', { name: 'Start theme' }))
    expect(await screen.findByText('Theme Saved!')).toBeVisible()
    expect(sent(FROM)).toEqual([{ coverId: 7, themeName: 'Lights' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls('GET /api/covers')).toBeGreaterThan(before)
  })

  it('that could not be made is told, and the name stays', async () => {
    const user = userEvent.setup()
    const { dialog } = await start(user, { [FROM]: new Refusal(503, 'Not now.') })
    await user.click(dialog.getByRole('button', { name: 'Start theme' }))
    expect(await screen.findByText('Failed to create theme. Please try again.')).toBeVisible()
    expect(dialog.getByLabelText('Name of the theme')).toHaveValue('Volume 7')
  })
})
