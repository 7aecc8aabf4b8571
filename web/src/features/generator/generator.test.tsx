import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ThemeOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { capabilities, cover, status, TestStream } from './test-status'

const settings = {
  defaultValues: { prompt: '', title: '', author: '', genre: '', themeStylePrompt: '', referenceImagePrompt: '' },
  showGenreCheckbox: false,
}
const signedIn = {
  'GET /api/auth/user': reader,
  'GET /api/generator-settings': settings,
  'GET /api/capabilities': capabilities(),
  'GET /api/themes': [],
  'GET /api/covers': [],
  'POST /api/generate-cover': { generationId: 'g-1', generationIds: ['g-1'] },
}

const noir: ThemeOut = {
  id: 12,
  name: 'Noir',
  description: null,
  colors: ['#101010'],
  stylePrompt: 'Rain',
  usageCount: 0,
  coverCount: 0,
  covers: [],
  createdAt: '2026-10-20T10:00:00Z',
}

beforeEach(() => {
  localStorage.clear()
  TestStream.opened = []
  vi.stubGlobal('EventSource', TestStream)
  vi.stubGlobal(
    'Image',
    class {
      src = ''
      decode = async () => undefined
    },
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const prompt = () => screen.findByLabelText('What is the book about?')
const button = () => screen.findByRole('button', { name: 'Generate cover' })
const stream = async () => {
  await waitFor(() => expect(TestStream.opened).toHaveLength(1))
  return TestStream.opened[0] as TestStream
}

async function describeBook(user: UserEvent) {
  await user.click(await prompt())
  await user.paste('A lighthouse')
}

/** Describes a book and sends it off; gives the stream of its changes. */
async function generate(user: UserEvent) {
  await describeBook(user)
  await user.click(await button())
  return stream()
}

describe('the form', () => {
  it('counts letters while they are typed', async () => {
    const user = userEvent.setup()
    renderApp('/', signedIn)
    await describeBook(user)
    expect(screen.getByText('12/500')).toBeVisible()
  })

  it('says what is missing, at the field and in a toast, and starts nothing', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', signedIn)
    await user.click(await button())
    const field = await prompt()
    await waitFor(() => expect(field).toHaveAccessibleDescription('Please describe your book cover before generating.'))
    expect(field).toHaveFocus()
    expect(await screen.findByText('Missing Prompt')).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
  })

  it('names every bad field at once', async () => {
    const user = userEvent.setup()
    renderApp('/', signedIn)
    await user.click(await screen.findByLabelText(/Custom/))
    await user.type(screen.getByLabelText('Width in inches'), '12')
    await user.click(await button())
    expect(await screen.findByText('Enter a number from 4 to 8.5')).toBeVisible()
    expect(screen.getByText('Enter a number from 6 to 11.69')).toBeVisible()
    expect(await prompt()).toBeInvalid()
  })

  it('shows the objections of the server at their fields', async () => {
    const user = userEvent.setup()
    const fields = { title: 'Another title, please.', themeId: 'Unknown.' }
    renderApp('/', {
      ...signedIn,
      'POST /api/generate-cover': new Refusal(422, 'Look again.', fields, 'invalid_fields'),
    })
    await describeBook(user)
    await user.click(await button())
    await waitFor(() => expect(screen.getByLabelText('Title')).toHaveAccessibleDescription('Another title, please.'))
    expect(screen.queryByText('Generation Failed')).toBeNull()
  })

  it('keeps what is typed over a reload', async () => {
    const user = userEvent.setup()
    renderApp('/', signedIn)
    await describeBook(user)
    await waitFor(() => expect(localStorage.getItem('generator-draft')).toContain('A lighthouse'))
  })

  it('offers the default genre only where an administrator wants it', async () => {
    renderApp('/', { ...signedIn, 'GET /api/generator-settings': { ...settings, showGenreCheckbox: true } })
    expect(await screen.findByRole('checkbox', { name: /default genre/ })).toBeVisible()
  })

  it('offers themes to readers who have some, and sends the number of the chosen one', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...signedIn,
      'GET /api/themes': [noir],
    })
    const theme = await screen.findByLabelText('Theme')
    expect(theme).toHaveDisplayValue('None')
    await user.selectOptions(theme, 'Noir')
    await describeBook(user)
    await user.click(await button())
    await waitFor(() =>
      expect(requests.find(({ call }) => call === 'POST /api/generate-cover')?.body).toMatchObject({ themeId: 12 }),
    )
  })
})

describe('the book', () => {
  it('is a dashed place until something is typed', async () => {
    const user = userEvent.setup()
    renderApp('/', signedIn)
    expect(await screen.findByText('Your cover will stand here')).toBeVisible()
    await user.type(screen.getByLabelText('Title'), 'Saltmarsh')
    expect(screen.getByRole('img', { name: 'Preview in type: Saltmarsh' })).toHaveTextContent('Saltmarsh')
    expect(screen.queryByText('Your cover will stand here')).toBeNull()
  })

  it('goes from type through every phase to the cover', async () => {
    const user = userEvent.setup()
    let made = false
    const { requests } = renderApp('/', {
      ...signedIn,
      'GET /api/covers': () => (made ? [cover] : []),
      'GET /api/auth/user': () => ({ ...reader, generationsThisMonth: made ? 1 : 0 }),
      'GET /api/plan-limits': { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 2 },
    })
    const events = await generate(user)
    expect(events.url).toBe('/api/generation-events/g-1')
    expect(screen.getByRole('button', { name: /Generating/ })).toBeDisabled()
    act(() => events.tell({ status: 'pending', phase: 'queued', queuePosition: 3 }))
    expect(screen.getByText('Number 3 in the queue')).toBeVisible()
    act(() => events.tell({ phase: 'lettering' }))
    expect(screen.getAllByText('Setting the title')).toHaveLength(2)
    expect(screen.getByText('1 s · usually 3 s')).toBeVisible()
    made = true
    act(() => events.tell({ status: 'completed', phase: 'done', result: cover }))
    const actions = within(await screen.findByRole('toolbar', { name: 'Your new cover' }))
    expect(actions.getByRole('button', { name: 'Download' })).toBeVisible()
    expect(screen.getByAltText('Cover of Saltmarsh')).toHaveAttribute('src', cover.previewUrl)
    expect(await screen.findByText('Success!')).toBeVisible()
    expect(await screen.findByText('1 of 2 left this month')).toBeVisible()
    expect(requests.filter(({ call }) => call === 'GET /api/covers').length).toBeGreaterThan(1)
    expect(localStorage.getItem('generation')).toBeNull()
  })

  it('says when it takes longer than usual', async () => {
    const user = userEvent.setup()
    renderApp('/', signedIn)
    const events = await generate(user)
    act(() => events.tell({ elapsedMs: 7_000 }))
    expect(screen.getByText('Taking longer than usual. You can leave: it will be in your gallery.')).toBeVisible()
  })

  it('is found again after a reload', async () => {
    localStorage.setItem('generation', 'g-1')
    renderApp('/', signedIn)
    const events = await stream()
    act(() => events.tell({ phase: 'painting' }))
    expect((await screen.findAllByText('Painting'))[0]).toBeVisible()
    act(() => events.tell({ status: 'completed', phase: 'done', result: cover }))
    expect(await screen.findByAltText('Cover of Saltmarsh')).toBeVisible()
  })

  it('can be canceled, and says nothing of it', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...signedIn,
      'DELETE /api/generations/g-1': status({ status: 'canceled', phase: 'done' }),
    })
    const events = await generate(user)
    act(() => events.tell({ phase: 'painting' }))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await button()).toBeEnabled()
    expect(events.closed).toBe(true)
    expect(requests.map(({ call }) => call)).toContain('DELETE /api/generations/g-1')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is saved without a call, and the covers are fetched again', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', signedIn)
    const events = await generate(user)
    act(() => events.tell({ status: 'completed', phase: 'done', result: cover }))
    const save = await screen.findByRole('button', { name: 'Save' })
    const before = requests.length
    await user.click(save)
    expect(await screen.findByText('The cover is in your gallery.')).toBeVisible()
    await waitFor(() => expect(requests.slice(before).map(({ call }) => call)).toContain('GET /api/covers'))
    expect(requests.slice(before).filter(({ call }) => !call.startsWith('GET '))).toEqual([])
  })
})

describe('a failure', () => {
  it('is told in the card and in a toast, with what it cost, and can be tried again', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', signedIn)
    const events = await generate(user)
    act(() => events.tell({ status: 'failed', error: 'The studio burned down.', errorCode: 'no_studio' }))
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText('Generation Failed')).toBeVisible()
    expect(alert.getByText('The studio burned down.')).toBeVisible()
    expect(alert.getByText('Nothing was counted.')).toBeVisible()
    await user.click(alert.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(TestStream.opened).toHaveLength(2))
    expect(requests.filter(({ call }) => call === 'POST /api/generate-cover')).toHaveLength(2)
  })

  it('of the description leads back to the description', async () => {
    const user = userEvent.setup()
    renderApp('/', signedIn)
    const events = await generate(user)
    act(() => events.tell({ status: 'failed', error: 'Declined.', errorCode: 'content_refused' }))
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText('The image service declined this description.')).toBeVisible()
    expect(alert.queryByRole('button', { name: 'Try again' })).toBeNull()
    await user.click(alert.getByRole('button', { name: 'Edit description' }))
    expect(await prompt()).toHaveFocus()
    expect(await prompt()).toHaveValue('A lighthouse')
  })

  it('of the network sends the same key again', async () => {
    const user = userEvent.setup()
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    renderApp('/', signedIn)
    const online = globalThis.fetch
    const keys: (string | null)[] = []
    vi.stubGlobal('fetch', (input: Request, init?: RequestInit) => {
      if (!input.url.endsWith('/api/generate-cover')) return online(input, init)
      keys.push(input.headers.get('idempotency-key'))
      return keys.length === 1 ? Promise.reject(new TypeError('Failed to fetch')) : online(input, init)
    })
    await describeBook(user)
    await user.click(await button())
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText(/you will find it in your gallery/)).toBeVisible()
    await user.click(alert.getByRole('button', { name: 'Try again' }))
    await stream()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBeTruthy()
    expect(keys[1]).toBe(keys[0])
  })

  it('of the session sends to sign-in and leaves the form as it is', async () => {
    const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
    const user = userEvent.setup()
    renderApp('/', { ...signedIn, 'POST /api/generate-cover': new Refusal(401, 'Please sign in.') })
    await describeBook(user)
    await user.click(await button())
    expect(await screen.findByText('Unauthorized')).toBeVisible()
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/api/login'))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(await prompt()).toHaveValue('A lighthouse')
  })
})

describe('at the limit', () => {
  const limits = { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 1 }

  it('a free reader finds the button closed, and why, and until when', async () => {
    renderApp('/', { ...signedIn, 'GET /api/auth/user': { ...reader, generationsThisMonth: 1 } })
    const closed = await button()
    await waitFor(() => expect(closed).toBeDisabled())
    expect(closed).toHaveAccessibleDescription(/^Upgrade to Pro for 15 generations\. The count starts again on /)
  })

  it('a free reader who uses the keyboard is told', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...signedIn, 'GET /api/auth/user': { ...reader, generationsThisMonth: 1 } })
    await waitFor(async () => expect(await button()).toBeDisabled())
    await describeBook(user)
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Generation Limit Reached')).toBeVisible()
    expect(screen.getByText('Upgrade to Pro for 15 generations.')).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
  })

  it('a Pro reader is told at the click', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...signedIn,
      'GET /api/auth/user': { ...reader, isPro: true, generationsThisMonth: 15 },
    })
    await describeBook(user)
    await user.click(await button())
    expect(await screen.findByText("You've reached your monthly limit of 15 generations.")).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
  })

  it('a Pro reader without limit goes on', async () => {
    const user = userEvent.setup()
    renderApp('/', {
      ...signedIn,
      'GET /api/auth/user': { ...reader, isPro: true, generationsThisMonth: 900 },
      'GET /api/plan-limits': { ...limits, proUnlimited: true },
    })
    expect(await screen.findByText('∞ unlimited', { selector: 'p' })).toBeVisible()
    await generate(user)
  })

  it('that only the server knows of, the reader is told, and the count is read again', async () => {
    const user = userEvent.setup()
    let used = 0
    renderApp('/', {
      ...signedIn,
      'GET /api/auth/user': () => ({ ...reader, generationsThisMonth: used }),
      'POST /api/generate-cover': () => {
        used = 1
        return new Refusal(402, 'Upgrade to Pro for 15 generations.', undefined, 'generation_limit_reached')
      },
    })
    await describeBook(user)
    await user.click(await button())
    expect(await screen.findByText('Generation Limit Reached')).toBeVisible()
    await waitFor(async () => expect(await button()).toBeDisabled())
  })
})

it('is paused while nobody can make covers', async () => {
  renderApp('/', { ...signedIn, 'GET /api/capabilities': capabilities({ available: false, provider: null }) })
  const closed = await button()
  await waitFor(() => expect(closed).toBeDisabled())
  expect(closed).toHaveAccessibleDescription(/paused/)
})
