import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { status } from '@/test/status'
import { button, describeBook, details, freshBrowser, signedIn, stream } from './test-screen'
import { cover, TestStream } from './test-status'

const START = 'POST /api/generate-cover'
const started = { generationId: 'a', generationIds: ['a', 'b', 'c'] }
const answers = { ...signedIn, [START]: started }
const made = (id: string, number: number) =>
  ({ id, status: 'completed', phase: 'done', result: { ...cover, id: number, previewUrl: `/p${number}` } }) as const

beforeEach(freshBrowser)
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const bodies = (requests: { call: string; body: unknown }[], call: string) =>
  requests.filter((request) => request.call === call).map(({ body }) => body)

async function threeOf(user: UserEvent) {
  await user.click(await screen.findByRole('radio', { name: '3' }))
  await describeBook(user)
  await user.click(await button())
  return stream()
}

const variant = (number: number, state: string) =>
  screen.findByRole('button', { name: `Variant ${number} of 3: ${state}` })

describe('the number of variants', () => {
  it('is as large as one request may ask for, and says what it takes', async () => {
    const user = userEvent.setup()
    renderApp('/', answers)
    const choice = within(await screen.findByRole('group', { name: 'Variants' }))
    expect(choice.getAllByRole('radio').map((radio) => radio.getAttribute('value'))).toEqual(['1', '2', '3', '4'])
    expect(choice.getByRole('radio', { name: '1' })).toBeChecked()
    await user.click(choice.getByRole('radio', { name: '4' }))
    expect(screen.getByText('Takes 4 of the 15 left this month')).toBeVisible()
  })

  it('is not larger than what is left of the month', async () => {
    renderApp('/', { ...answers, 'GET /api/auth/user': { ...reader, isPro: true, generationsThisMonth: 13 } })
    const choice = within(await screen.findByRole('group', { name: 'Variants' }))
    await waitFor(() => expect(choice.getByRole('radio', { name: '3' })).toBeDisabled())
    expect(choice.getByRole('radio', { name: '2' })).toBeEnabled()
  })

  it('that the server finds too large is told with what is left, and nothing is started', async () => {
    const user = userEvent.setup()
    let used = 0
    renderApp('/', {
      ...answers,
      'GET /api/auth/user': () => ({ ...reader, isPro: true, generationsThisMonth: used }),
      [START]: () => {
        used = 14
        return new Refusal(402, 'Only 1 generation is left this month, and you asked for 3.', undefined, 'too_few_left')
      },
    })
    await user.click(await screen.findByRole('radio', { name: '3' }))
    await describeBook(user)
    await user.click(await button())
    expect(await screen.findByText('Generation Limit Reached')).toBeVisible()
    expect(screen.getByText('Only 1 generation is left this month. Make fewer at once.')).toBeVisible()
    expect(TestStream.opened).toHaveLength(0)
  })
})

describe('variants', () => {
  it('have their places at once, and come one by one over one stream', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', answers)
    const events = await threeOf(user)
    expect(bodies(requests, START)).toEqual([expect.objectContaining({ count: 3 })])
    expect(events.url).toBe('/api/generation-events/a?also=b&also=c')
    expect(within(screen.getByRole('list', { name: 'Variants' })).getAllByRole('button')).toHaveLength(3)
    expect(screen.getByRole('button', { name: /Generating/ })).toBeDisabled()

    act(() => events.tell(made('b', 2)))
    expect(await variant(2, 'ready')).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByAltText('Cover of Saltmarsh')).toHaveAttribute('src', '/p2')
    expect(screen.getByText('1 of 3 covers is ready.')).toBeInTheDocument()
    expect(screen.queryByText('Success!')).toBeNull()

    act(() => events.tell(made('a', 1)))
    expect(await variant(1, 'ready')).toHaveAttribute('aria-pressed', 'false')
    act(() => events.tell(made('c', 3)))
    expect(await screen.findByText('Success!')).toBeVisible()
    expect(events.closed).toBe(true)
    expect(await button()).toBeEnabled()
  })

  it('are chosen by their number, opened by Enter, and acted on', async () => {
    const user = userEvent.setup()
    renderApp('/', { ...answers, 'GET /api/covers/3/details': { ...details, cover: { ...cover, id: 3 } } })
    const events = await threeOf(user)
    for (const [id, number] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      act(() => events.tell(made(id, number)))
    await variant(3, 'ready')
    act(() => (document.activeElement as HTMLElement).blur())
    await user.keyboard('3')
    expect(await variant(3, 'ready')).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByAltText('Cover of Saltmarsh')).toHaveAttribute('src', '/p3')
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Saltmarsh' })).toBeVisible()
  })

  it('that failed can be tried again one by one, beside the others', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...answers,
      'POST /api/generations/b/retry': { generationId: 'x', generationIds: ['x'] },
    })
    const events = await threeOf(user)
    act(() => events.tell(made('a', 1)))
    act(() => events.tell({ id: 'b', status: 'failed', error: 'The studio burned down.', errorCode: 'no_studio' }))
    expect(await screen.findByText('Generation Failed')).toBeVisible()
    act(() => events.tell(made('c', 3)))
    expect(await screen.findByText('2 of 3 covers are ready.', { selector: '[role=status] ~ *, li *' })).toBeVisible()

    await user.click(await variant(2, 'failed'))
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByText('The studio burned down.')).toBeVisible()
    await user.click(alert.getByRole('button', { name: 'Retry this one' }))
    const second = await stream(2)
    expect(second.url).toBe('/api/generation-events/x')
    expect(bodies(requests, 'POST /api/generations/b/retry')).toEqual([{ count: 1 }])
    act(() => second.tell(made('x', 4)))
    expect(await variant(2, 'ready')).toBeVisible()
  })

  it('that cannot be tried again, because their references are gone, say so', async () => {
    const user = userEvent.setup()
    renderApp('/', {
      ...answers,
      'POST /api/generations/b/retry': new Refusal(422, 'Gone.', undefined, 'references_gone'),
    })
    const events = await threeOf(user)
    act(() => events.tell({ id: 'b', status: 'failed', error: 'No.', errorCode: 'no_studio' }))
    await user.click(await variant(2, 'failed'))
    await user.click(await screen.findByRole('button', { name: 'Retry this one' }))
    const sentence = 'The reference images of this cover are no longer available. Please choose them again.'
    expect((await screen.findAllByText(sentence))[0]).toBeVisible()
  })

  it('can be canceled one by one, or all at once', async () => {
    const user = userEvent.setup()
    const canceled = (id: string) => status({ id, status: 'canceled', phase: 'done' })
    const { requests } = renderApp('/', {
      ...answers,
      'DELETE /api/generations/a': canceled('a'),
      'DELETE /api/generations/b': canceled('b'),
      'DELETE /api/generations/c': canceled('c'),
    })
    const events = await threeOf(user)
    act(() => events.tell({ id: 'a', phase: 'painting' }))
    await user.click(screen.getByRole('button', { name: 'Cancel this one' }))
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Variant . of 2/ })).toHaveLength(2))
    await user.click(screen.getByRole('button', { name: 'Cancel all' }))
    expect(await button()).toBeEnabled()
    expect(requests.filter(({ call }) => call.startsWith('DELETE ')).map(({ call }) => call)).toEqual([
      'DELETE /api/generations/a',
      'DELETE /api/generations/b',
      'DELETE /api/generations/c',
    ])
    expect(events.closed).toBe(true)
    expect(localStorage.getItem('generation')).toBeNull()
  })

  it('are all found again after a reload', async () => {
    localStorage.setItem('generation', 'a b c')
    renderApp('/', answers)
    const events = await stream()
    expect(events.url).toBe('/api/generation-events/a?also=b&also=c')
    act(() => events.tell(made('a', 1)))
    expect(await variant(1, 'ready')).toBeVisible()
    expect(await variant(2, 'being made')).toBeVisible()
    expect(localStorage.getItem('generation')).toBe('a b c')
  })

  it('are asked for one by one when the stream breaks', async () => {
    const user = userEvent.setup()
    renderApp('/', {
      ...answers,
      'GET /api/generation-status/a': status(made('a', 1)),
      'GET /api/generation-status/b': status(made('b', 2)),
      'GET /api/generation-status/c': status({ id: 'c', status: 'failed', error: 'No.' }),
    })
    const events = await threeOf(user)
    act(() => events.break())
    expect(await variant(1, 'ready')).toBeVisible()
    expect(await variant(3, 'failed')).toBeVisible()
  })
})

describe('comparing', () => {
  async function compared(user: UserEvent) {
    renderApp('/', answers)
    const events = await threeOf(user)
    for (const [id, number] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      act(() => events.tell(made(id, number)))
    await variant(3, 'ready')
    await user.click(await screen.findByRole('button', { name: 'Compare' }))
    return within(await screen.findByRole('dialog', { name: 'Compare covers' }))
  }

  it('slides a divider by keyboard', async () => {
    const user = userEvent.setup()
    const dialog = await compared(user)
    const divider = dialog.getByRole('slider', { name: 'Divider' })
    expect(divider).toHaveFocus()
    expect(divider).toHaveValue('50')
    await user.keyboard('{ArrowRight}')
    expect(divider).toHaveValue('55')
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(divider).toHaveAttribute('aria-valuetext', '45% of Variant 1')
  })

  it('swaps the two, shows them side by side, and turns to another one', async () => {
    const user = userEvent.setup()
    const dialog = await compared(user)
    const sides = () => ['Left', 'Right'].map((side) => (dialog.getByLabelText(side) as HTMLSelectElement).value)
    expect(sides()).toEqual(['0', '1'])
    await user.keyboard('c')
    expect(sides()).toEqual(['1', '0'])
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(sides()).toEqual(['1', '2'])
    await user.keyboard('m')
    expect(dialog.queryByRole('slider')).toBeNull()
    expect(dialog.getByRole('radio', { name: 'Side by side' })).toBeChecked()
    expect(dialog.getAllByRole('figure')).toHaveLength(2)
    await user.keyboard('m')
    const fade = dialog.getByRole('slider', { name: 'Fade' })
    expect(document.querySelector('[data-upper]')).toHaveStyle({ opacity: '0.5' })
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(fade).toHaveValue('60')
    expect(document.querySelector('[data-upper]')).toHaveStyle({ opacity: '0.4' })
    await user.keyboard('?')
    const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(sheet.getByText('Swap the two')).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    // the sheet is gone before its hold on the keys is
    await waitFor(async () => {
      await user.keyboard('{Escape}')
      expect(screen.queryByRole('dialog')).toBeNull()
    })
  })

  it('enlarges both alike: what the one is scrolled to, the other shows', async () => {
    const user = userEvent.setup()
    const dialog = await compared(user)
    await user.click(dialog.getByRole('radio', { name: 'Side by side' }))
    await user.click(dialog.getByRole('radio', { name: '200%' }))
    const [left, right] = dialog.getAllByRole('figure').map((figure) => figure.firstElementChild as HTMLElement)
    for (const pane of [left, right]) {
      for (const [name, value] of [
        ['scrollWidth', 400],
        ['clientWidth', 200],
        ['scrollHeight', 600],
        ['clientHeight', 300],
      ] as const)
        Object.defineProperty(pane, name, { value })
    }
    if (!left || !right) throw new Error('Two are compared')
    left.scrollLeft = 100
    left.scrollTop = 300
    fireEvent.scroll(left)
    expect([right.scrollLeft, right.scrollTop]).toEqual([100, 300])
    await user.keyboard('z')
    expect(dialog.getByRole('radio', { name: '400%' })).toBeChecked()
  })
})
