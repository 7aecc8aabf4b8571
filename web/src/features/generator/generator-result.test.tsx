import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { capabilities } from '@/test/capabilities'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { status } from '@/test/status'
import { button, describeBook, free, freshBrowser, generate, prompt, stream } from './test-screen'
import { cover, TestStream } from './test-status'

beforeEach(() => freshBrowser())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the book', () => {
  it('is a dashed place until something is typed', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    expect(await screen.findByText('Your cover will appear here')).toBeVisible()
    await user.type(screen.getByLabelText('Title'), 'Saltmarsh')
    expect(screen.getByRole('img', { name: 'Preview in type: Saltmarsh' })).toHaveTextContent('Saltmarsh')
    expect(screen.queryByText('Your cover will appear here')).toBeNull()
  })

  it('goes from type through every phase to the cover', async () => {
    const user = userEvent.setup()
    let made = false
    const { requests } = renderApp('/', {
      ...free,
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
    expect(
      await screen.findByText('Your book cover has been generated successfully.', { selector: 'li *' }),
    ).toBeVisible()
    expect(await screen.findByText('1 of 2 left this month')).toBeVisible()
    expect(requests.filter(({ call }) => call === 'GET /api/covers').length).toBeGreaterThan(1)
    expect(localStorage.getItem('generation')).toBeNull()
  })

  it('shows the picture as it is so far, each upon the last, and then the cover', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    const events = await generate(user)
    const layers = () => [...document.querySelectorAll<HTMLImageElement>('img[src^="/api/generations/"]')]
    act(() => events.tell({ phase: 'painting', preview: 3001 }))
    expect(layers().map((one) => one.getAttribute('src'))).toEqual(['/api/generations/g-1/preview?number=3001'])
    expect(screen.queryByText('Preview')).toBeNull()
    act(() => layers()[0]?.dispatchEvent(new Event('load')))
    expect(screen.getByText('Preview')).toBeVisible()
    expect(screen.getByRole('img', { name: /^Preview of the cover/ })).toBeVisible()
    act(() => events.tell({ phase: 'painting', preview: 3002 }))
    expect(layers()).toHaveLength(2)
    act(() => layers()[1]?.dispatchEvent(new Event('load')))
    act(() => events.tell({ phase: 'painting', preview: 3003 }))
    expect(layers().map((one) => one.src.slice(-4))).toEqual(['3001', '3002', '3003'])
    expect(layers().every((one) => one.closest('a, button') === null && !one.draggable)).toBe(true)
    act(() => events.tell({ status: 'completed', phase: 'done', result: cover }))
    expect(await screen.findByAltText('Cover of Saltmarsh')).toBeVisible()
    expect(layers()).toHaveLength(0)
    expect(screen.queryByText('Preview')).toBeNull()
  })

  it('says that administrators have paused it, however long the queue is', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    const events = await generate(user)
    act(() => events.tell({ status: 'pending', phase: 'paused', queuePosition: 3 }))
    expect(screen.getAllByText(/^Paused by the administrators\. Your cover waits/)[0]).toBeVisible()
    expect(screen.queryByText('Number 3 in the queue')).not.toBeInTheDocument()
  })

  it('says when it takes longer than usual', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    const events = await generate(user)
    act(() => events.tell({ elapsedMs: 7_000 }))
    expect(screen.getByText('Taking longer than usual. You can leave: it will be in your gallery.')).toBeVisible()
  })

  it('is found again after a reload', async () => {
    localStorage.setItem('generation', 'g-1')
    renderApp('/', free)
    const events = await stream()
    act(() => events.tell({ phase: 'painting' }))
    expect((await screen.findAllByText('Painting'))[0]).toBeVisible()
    act(() => events.tell({ status: 'completed', phase: 'done', result: cover }))
    expect(await screen.findByAltText('Cover of Saltmarsh')).toBeVisible()
  })

  it('can be canceled, and says that nothing was counted', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...free,
      'DELETE /api/generations/g-1': status({ status: 'canceled', phase: 'done' }),
    })
    const events = await generate(user)
    act(() => events.tell({ phase: 'painting' }))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await button()).toBeEnabled()
    expect(events.closed).toBe(true)
    expect(requests.map(({ call }) => call)).toContain('DELETE /api/generations/g-1')
    expect(await screen.findByText('Generation canceled')).toBeVisible()
    expect(screen.getByText('This did not count toward your limit.')).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('makes room for another one, with an empty form', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    const events = await generate(user)
    act(() => events.tell({ status: 'completed', phase: 'done', result: cover }))
    await user.click(await screen.findByRole('button', { name: 'New cover' }))
    expect(await prompt()).toHaveValue('')
    expect(await prompt()).toHaveFocus()
  })

  it('is saved without a call, and the covers are fetched again', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', free)
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
    const { requests } = renderApp('/', free)
    const events = await generate(user)
    act(() => events.tell({ status: 'failed', error: 'The studio burned down.', errorCode: 'no_studio' }))
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText('Generation Failed')).toBeVisible()
    expect(alert.getByText('The studio burned down.')).toBeVisible()
    expect(alert.getByText('This did not count toward your limit.')).toBeVisible()
    await user.click(alert.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(TestStream.opened).toHaveLength(2))
    expect(requests.filter(({ call }) => call === 'POST /api/generate-cover')).toHaveLength(2)
  })

  it('is told in its card alone where the reader sees the card, else in a toast as well', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    const events = await generate(user)
    const place = document.querySelector('[data-result]') as HTMLElement
    place.getBoundingClientRect = () => new DOMRect(0, 300, 400, 64)
    act(() => events.tell({ status: 'failed', error: 'The studio burned down.', errorCode: 'no_studio' }))
    await screen.findByRole('alert')
    expect(screen.getAllByText('The studio burned down.')).toHaveLength(1)
    place.getBoundingClientRect = () => new DOMRect(0, -2000, 400, 64)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    const again = await stream(2)
    act(() => again.tell({ status: 'failed', error: 'The studio flooded.', errorCode: 'no_studio' }))
    await waitFor(() => expect(screen.getAllByText('The studio flooded.')).toHaveLength(2))
  })

  it('of the description offers the other service by its name, and asks it for the same', async () => {
    const user = userEvent.setup()
    const choice = {
      models: [],
      references: 4,
      seed: true,
      lettersByModel: false,
      depicts: false,
      sketches: false,
      expectedMs: 9_000,
      estimateMicros: null,
    }
    const choices = [
      { ...choice, instanceId: 'lantern', label: 'Lantern Press' },
      { ...choice, instanceId: 'harbour', label: 'Harbour Prints' },
    ]
    const { requests } = renderApp('/', { ...free, 'GET /api/capabilities': capabilities({ choices }) })
    const events = await generate(user)
    act(() => events.tell({ status: 'failed', error: 'Declined.', errorCode: 'content_refused' }))
    await user.click(await screen.findByRole('button', { name: 'Try Harbour Prints' }))
    await waitFor(() =>
      expect(requests.filter(({ call }) => call === 'POST /api/generate-cover').at(-1)?.body).toMatchObject({
        prompt: 'A lighthouse',
        instanceId: 'harbour',
      }),
    )
    const second = await stream(2)
    act(() => second.tell({ status: 'failed', error: 'Declined.', errorCode: 'content_refused' }))
    expect(await screen.findByRole('button', { name: 'Try Lantern Press' })).toBeVisible()
  })

  it('of the description leads back to the description', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    const events = await generate(user)
    act(() => events.tell({ status: 'failed', error: 'Declined.', errorCode: 'content_refused' }))
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText('The image service declined this description.')).toBeVisible()
    expect(alert.queryByRole('button', { name: 'Try again' })).toBeNull()
    await user.click(alert.getByRole('button', { name: 'Edit description' }))
    expect(await prompt()).toHaveFocus()
    expect(await prompt()).toHaveValue('A lighthouse')
  })

  it.each(['auth_failed', 'quota_exhausted', 'settings_invalid', 'provider_bug', 'rate_limited'])(
    'of the site is called that, and no other try is offered: %s',
    async (errorCode) => {
      const user = userEvent.setup()
      renderApp('/', free)
      const events = await generate(user)
      act(() => events.tell({ status: 'failed', error: 'Failed to generate cover. Please try again.', errorCode }))
      const alert = within(await screen.findByRole('alert'))
      expect(alert.getByText(/^The trouble is with the image service of this site, not with your/)).toBeVisible()
      expect(alert.getByText('This did not count toward your limit.')).toBeVisible()
      expect(alert.queryByRole('button', { name: 'Try again' })).toBeNull()
    },
  )

  it('without a word of the server is told in words of our own', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    const events = await generate(user)
    act(() => events.tell({ status: 'failed', error: null, errorCode: null }))
    const alert = within(await screen.findByRole('alert'))
    const words = 'Failed to generate cover. Please try again.'
    expect(alert.getByText(words)).toBeVisible()
    expect(await screen.findByText(words, { selector: 'li *' })).toBeVisible()
  })

  it('to answer in time names the service that was asked', async () => {
    const user = userEvent.setup()
    renderApp('/', { ...free, 'GET /api/capabilities': capabilities({ provider: 'OpenAI' }) })
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
    expect(await screen.findByText(words, { selector: 'li *' })).toBeVisible()
  })

  it('to end within sixty questions is told, and that it may end all the same', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...free, 'GET /api/generation-status/g-1': status() })
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
    renderApp('/', free)
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
    renderApp('/', { ...free, 'POST /api/generate-cover': new Refusal(401, 'Please sign in.') })
    await describeBook(user)
    await user.click(await button())
    expect(await screen.findByText('Unauthorized')).toBeVisible()
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/api/login'))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(await prompt()).toHaveValue('A lighthouse')
  })
})
