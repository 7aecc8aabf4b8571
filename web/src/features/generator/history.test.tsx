import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { button, describeBook, details, freshBrowser, line, prompt, signedIn, stream } from './test-screen'
import { cover } from './test-status'

const lines = [
  line(),
  line({ id: 'f-2', batchId: 'f-1', prompt: 'A fox at sea', title: 'Fox', cover: null, status: 'failed' }),
  line({ id: 'f-1', batchId: 'f-1', prompt: 'A fox at sea', title: 'Fox', cover: { ...cover, id: 8 } }),
]
const answers = { ...signedIn, 'GET /api/generations': lines, 'GET /api/covers/7/details': details }

beforeEach(freshBrowser)
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function unfolded(user: UserEvent) {
  await user.click(await screen.findByText('Earlier prompts'))
  return screen.findByRole('searchbox', { name: 'Search earlier prompts' })
}

async function choose(user: UserEvent, words: string, action: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for: ${words}` }))
  await user.click(await screen.findByRole('menuitem', { name: action }))
}

describe('earlier prompts', () => {
  it('are asked for when they are wanted, the variants of one request as one line', async () => {
    const user = userEvent.setup()
    // the gallery asks for fewer, to see what is under way
    const asked = vi.fn()
    renderApp('/', {
      ...answers,
      'GET /api/generations': (_: unknown, { searchParams }: URL) => {
        if (searchParams.get('limit') === '40') asked()
        return lines
      },
    })
    await screen.findByText('Earlier prompts')
    expect(asked).not.toHaveBeenCalled()
    await unfolded(user)
    await waitFor(() => expect(asked).toHaveBeenCalledOnce())
    expect(await screen.findByText('A fox at sea')).toBeVisible()
    expect(screen.getAllByRole('button', { name: /^Actions for/ })).toHaveLength(2)
  })

  it('are searched by the server', async () => {
    const user = userEvent.setup()
    renderApp('/', {
      ...answers,
      'GET /api/generations': (_: unknown, { searchParams }: URL) => (searchParams.get('search') ? [] : lines),
    })
    await user.type(await unfolded(user), 'heron')
    expect(await screen.findByText('No earlier prompts match these words.')).toBeVisible()
  })

  it('go on with older ones', async () => {
    const user = userEvent.setup()
    const older = line({ id: 'o', batchId: 'o', prompt: 'An older one' })
    renderApp('/', {
      ...answers,
      'GET /api/generations': (_: unknown, { searchParams }: URL) =>
        searchParams.get('cursor')
          ? [older]
          : Response.json(lines, { headers: { link: '</api/generations?cursor=c1>; rel="next"' } }),
    })
    await unfolded(user)
    await user.click(await screen.findByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('An older one')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('that cannot be read say so, and can be asked for again', async () => {
    const user = userEvent.setup()
    let broken = true
    renderApp('/', { ...answers, 'GET /api/generations': () => (broken ? new Refusal(500, 'Broken.') : lines) })
    await unfolded(user)
    expect(await screen.findByText('Your earlier prompts did not load')).toBeVisible()
    broken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('A fox at sea')).toBeVisible()
  })

  it('fill the form again, with everything but the seed', async () => {
    const user = userEvent.setup()
    renderApp('/', answers)
    await unfolded(user)
    await choose(user, 'A heron on a marsh', 'Use again')
    expect(await prompt()).toHaveValue('A heron on a marsh')
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Saltmarsh')
    expect(screen.getByRole('textbox', { name: 'Author' })).toHaveValue('Mara Lindqvist')
    expect(screen.getByRole('radio', { name: /Square/ })).toBeChecked()
    expect(screen.getByLabelText('Seed')).toHaveValue('')
    expect(await screen.findByText('The form is filled in')).toBeVisible()
  })

  it('are run again as often as before, under their own title', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...answers,
      'POST /api/generations/f-1/retry': { generationId: 'x', generationIds: ['x', 'y'] },
    })
    await unfolded(user)
    await choose(user, 'A fox at sea', 'Run again')
    const events = await stream()
    expect(requests.find(({ call }) => call === 'POST /api/generations/f-1/retry')?.body).toEqual({ count: 2 })
    expect(screen.getByRole('img', { name: 'Preview in type: Fox' })).toBeVisible()
    act(() => events.tell({ id: 'x', status: 'completed', phase: 'done', result: cover }))
    expect(await screen.findByRole('button', { name: 'Variant 1 of 2: ready' })).toBeVisible()
  })

  it('are put on the clipboard', async () => {
    const user = userEvent.setup()
    renderApp('/', answers)
    await unfolded(user)
    await choose(user, 'A fox at sea', 'Copy prompt')
    expect(await screen.findByText('Prompt copied')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('A fox at sea')
  })
})

describe('the arrow keys with Alt, in the description', () => {
  it('walk through earlier prompts and back to the draft', async () => {
    const user = userEvent.setup()
    renderApp('/', answers)
    await describeBook(user)
    const field = await prompt()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    await waitFor(() => expect(field).toHaveValue('A heron on a marsh'))
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    await waitFor(() => expect(field).toHaveValue('A fox at sea'))
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(field).toHaveValue('A heron on a marsh'))
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(field).toHaveValue('A lighthouse'))
  })
})

describe('the details of a cover', () => {
  async function opened(user: UserEvent) {
    renderApp('/', { ...answers, 'POST /api/generate-cover': { generationId: 'g-1', generationIds: ['g-1'] } })
    await describeBook(user)
    await user.click(await button())
    const events = await stream()
    act(() => events.tell({ status: 'completed', phase: 'done', result: cover }))
    await user.click(await screen.findByRole('button', { name: 'Details' }))
    return within(await screen.findByRole('dialog', { name: 'Saltmarsh' }))
  }

  it('say how it was made, and can be copied', async () => {
    const user = userEvent.setup()
    const dialog = await opened(user)
    for (const words of [
      'A heron on a marsh',
      'Design the front cover of a book: a heron on a marsh',
      'Lantern Press',
      'l-1',
      '4711',
      '1,800 × 2,700 px',
      '1,024 × 1,536 px',
      'Marshes',
    ])
      expect(dialog.getByText(words)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Copy: Seed' }))
    expect(await navigator.clipboard.readText()).toBe('4711')
    expect(await dialog.findByRole('button', { name: 'Copied' })).toBeVisible()
  })

  it('fill the form by R', async () => {
    const user = userEvent.setup()
    await opened(user)
    await user.keyboard('r')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await prompt()).toHaveValue('A heron on a marsh')
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Saltmarsh')
    await waitFor(async () => expect(await prompt()).toHaveFocus())
  })

  it('give their seed by S, which is sent and can be cleared', async () => {
    const user = userEvent.setup()
    await opened(user)
    await user.keyboard('s')
    await waitFor(() => expect(screen.getByLabelText('Seed')).toHaveValue('4711'))
    expect(await prompt()).toHaveValue('A lighthouse')
    await user.click(screen.getByRole('button', { name: 'Clear the seed' }))
    expect(screen.getByLabelText('Seed')).toHaveValue('')
  })

  it('are there by I, and the description by P, for the cover that has the focus', async () => {
    const user = userEvent.setup()
    renderApp('/', { ...answers, 'GET /api/covers': [cover] })
    const field = await prompt()
    const tile = await waitFor(() => {
      const found = document.querySelector<HTMLElement>('[data-cover="7"] button')
      if (!found) throw new Error('there is no cover yet')
      return found
    })
    act(() => tile.focus())
    await user.keyboard('p')
    await waitFor(() => expect(field).toHaveValue('A heron on a marsh'))
    act(() => tile.focus())
    await user.keyboard('i')
    expect(await screen.findByRole('dialog', { name: 'Saltmarsh' })).toBeVisible()
  })
})

it('a seed that is none is refused at its field', async () => {
  const user = userEvent.setup()
  renderApp('/', answers)
  await user.click(await screen.findByText('Advanced'))
  await user.type(screen.getByLabelText('Seed'), '1.5')
  await describeBook(user)
  await user.click(await button())
  await waitFor(() =>
    expect(screen.getByLabelText('Seed')).toHaveAccessibleDescription('Enter a whole number from 0 to 2147483647'),
  )
})

it('the question mark opens the list of keys', async () => {
  const user = userEvent.setup()
  renderApp('/', answers)
  await prompt()
  await user.keyboard('?')
  const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  for (const words of ['Generate', 'Choose a variant', 'Details', 'Show this list']) {
    expect(sheet.getByText(words)).toBeVisible()
  }
})
