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
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const prompt = () => screen.findByLabelText('What is the book about?')
const button = () => screen.findByRole('button', { name: 'Generate cover' })
const stream = async () => {
  await waitFor(() => expect(TestStream.opened).toHaveLength(1))
  return TestStream.opened[0] as TestStream
}

const sent = (requests: { call: string; body: unknown }[]) =>
  requests.find(({ call }) => call === 'POST /api/generate-cover')?.body

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

  it('says what is too long, at each field', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', signedIn)
    for (const [label, length] of [
      ['What is the book about?', 501],
      ['Title', 101],
      ['Author', 101],
      ['Genre', 51],
    ] as const) {
      await user.click(await screen.findByRole('textbox', { name: label }))
      await user.paste('x'.repeat(length))
    }
    expect(screen.getByText('501/500')).toBeVisible()
    await user.click(await button())
    await waitFor(async () => expect(await prompt()).toHaveAccessibleDescription('At most 500 characters'))
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveAccessibleDescription('At most 100 characters')
    expect(screen.getByRole('textbox', { name: 'Author' })).toHaveAccessibleDescription('At most 100 characters')
    expect(screen.getByRole('textbox', { name: 'Genre' })).toHaveAccessibleDescription('At most 50 characters')
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
  })

  it('offers four formats, the paperback first, and sends the measures of one’s own', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', signedIn)
    const formats = within(await screen.findByRole('group', { name: 'Format' }))
    await describeBook(user)
    const values = formats.getAllByRole('radio').map((radio) => radio.getAttribute('value'))
    expect(values).toEqual(['6x9', '8.5x11', '8x8', 'custom'])
    expect(formats.getByRole('radio', { name: /Paperback/ })).toBeChecked()
    await user.click(formats.getByRole('radio', { name: /Custom/ }))
    await user.type(screen.getByLabelText('Width in inches'), '5.25')
    await user.type(screen.getByLabelText('Height in inches'), '8')
    await user.click(await button())
    await stream()
    expect(sent(requests)).toMatchObject({ dimensions: 'custom', customWidth: 5.25, customHeight: 8 })
  })

  it('sends the paperback and no theme unless told otherwise', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...signedIn, 'GET /api/themes': [noir] })
    await screen.findByLabelText('Theme')
    await generate(user)
    expect(sent(requests)).toEqual({ prompt: 'A lighthouse', title: '', author: '', genre: '', dimensions: '6x9' })
  })

  it('leaves blank texts to the defaults of an administrator', async () => {
    const user = userEvent.setup()
    const defaultValues = { ...settings.defaultValues, prompt: 'A default' }
    const { requests } = renderApp('/', { ...signedIn, 'GET /api/generator-settings': { ...settings, defaultValues } })
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('GET /api/generator-settings'))
    await user.click(await button())
    await stream()
    expect(sent(requests)).toMatchObject({ prompt: '', title: '', author: '' })
  })

  it('offers the default genre only where an administrator wants it, and sends the tick', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...signedIn,
      'GET /api/generator-settings': { ...settings, showGenreCheckbox: true },
    })
    await user.click(await screen.findByRole('checkbox', { name: /default genre/ }))
    await generate(user)
    expect(sent(requests)).toMatchObject({ genre: '', useDefaultGenre: true })
  })

  it('does not offer the default genre otherwise', async () => {
    const { requests } = renderApp('/', signedIn)
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('GET /api/generator-settings'))
    await prompt()
    expect(screen.queryByRole('checkbox', { name: /default genre/ })).toBeNull()
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
    for (const name of ['Download', 'Save', 'Start theme']) expect(actions.getByRole('button', { name })).toBeVisible()
    expect(screen.getByAltText('Cover of Saltmarsh')).toHaveAttribute('src', cover.previewUrl)
    expect(await screen.findByText('Success!')).toBeVisible()
    expect(screen.getByText('Your book cover has been generated successfully.', { selector: 'li *' })).toBeVisible()
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

  it('without a word of the server is told in words of our own', async () => {
    const user = userEvent.setup()
    renderApp('/', signedIn)
    const events = await generate(user)
    act(() => events.tell({ status: 'failed', error: null, errorCode: null }))
    const alert = within(await screen.findByRole('alert'))
    const words = 'Failed to generate cover. Please try again.'
    expect(alert.getByText(words)).toBeVisible()
    expect(screen.getByText(words, { selector: 'li *' })).toBeVisible()
  })

  it('to answer in time names the service that was asked', async () => {
    const user = userEvent.setup()
    renderApp('/', { ...signedIn, 'GET /api/capabilities': capabilities({ provider: 'OpenAI' }) })
    const online = globalThis.fetch
    let timer = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      timer = new AbortController()
      return timer.signal
    })
    vi.stubGlobal('fetch', (input: Request, init?: RequestInit) => {
      if (!input.url.endsWith('/api/generate-cover')) return online(input, init)
      timer.abort()
      return Promise.reject(new DOMException('timed out', 'TimeoutError'))
    })
    await describeBook(user)
    await user.click(await button())
    const alert = within(await screen.findByRole('alert'))
    const words = 'Generation timed out. OpenAI is experiencing high load. Please try again.'
    expect(alert.getByText(words)).toBeVisible()
    expect(screen.getByText(words, { selector: 'li *' })).toBeVisible()
  })

  it('to end within sixty questions is told, and that it may end all the same', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...signedIn, 'GET /api/generation-status/g-1': status() })
    const events = await generate(user)
    vi.useFakeTimers()
    act(() => events.break())
    await act(() => vi.advanceTimersByTimeAsync(121_000))
    vi.useRealTimers()
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText('Generation timed out. Please try again.')).toBeVisible()
    expect(alert.getByText(/you will find it in your gallery/)).toBeVisible()
    expect(requests.filter(({ call }) => call === 'GET /api/generation-status/g-1')).toHaveLength(60)
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

  it('nobody is exempt, not even an administrator', async () => {
    renderApp('/', {
      ...signedIn,
      'GET /api/auth/user': { ...reader, isAdmin: true, email: 'owner@example.com', generationsThisMonth: 1 },
    })
    await waitFor(async () => expect(await button()).toBeDisabled())
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
