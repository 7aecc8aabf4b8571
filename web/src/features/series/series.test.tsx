import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LookPreview, LookRunOut, SeriesOut, ThemeOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { drifting, onShelf, run, volume } from './test-series'

const theme: ThemeOut = {
  id: 3,
  name: 'Saltmarsh',
  description: null,
  colors: ['#0B1F2A'],
  stylePrompt: 'linocut',
  usageCount: 3,
  createdAt: '2026-10-20T10:00:00Z',
  isSeries: true,
  coverCount: 3,
  covers: [],
}
const free: SeriesOut = { look: null, volumes: [volume(1), volume(2), volume(3, { state: 'drawn' })], run: null }
const preview = (coverId: number, changes = true): LookPreview => ({
  coverId,
  changes,
  lettering: { blocks: [] },
  artworkUrl: `/api/covers/${coverId}/artwork?size=320`,
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  soft: [],
})

/** The page of theme 3 before a server whose answers are written here. */
function open(answers: Record<string, unknown> = {}) {
  const { requests } = renderApp('/theme/3', {
    'GET /api/auth/user': reader,
    'GET /api/covers': [],
    'GET /api/themes': [theme],
    'GET /api/themes/3': theme,
    'GET /api/themes/3/covers': [],
    'GET /api/themes/3/next-volume': { author: '', series: '', number: '', style: '' },
    'GET /api/themes/3/series': drifting,
    'GET /api/themes/3/shelf': [onShelf(1), onShelf(2), onShelf(3)],
    ...answers,
  })
  return {
    sent: (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body),
    calls: (call: string) => requests.filter((request) => request.call === call).length,
  }
}

const section = async () => within(await screen.findByRole('region', { name: 'Series' }))
const part = async (name: string) => within(await (await section()).findByRole('region', { name }))

beforeEach(() => localStorage.clear())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the look of a series', () => {
  it('is locked from a cover whose words were set here, and changes no cover', async () => {
    const user = userEvent.setup()
    let now = free
    const { sent } = open({
      'GET /api/themes/3/series': () => now,
      'PUT /api/themes/3/look': () => {
        now = drifting
        return now
      },
    })
    await user.click(await (await section()).findByRole('button', { name: 'Lock the look' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Which cover has the look?' }))
    expect(dialog.getAllByRole('radio')).toHaveLength(2)
    await user.click(dialog.getByRole('radio', { name: 'Tide 2' }))
    await user.click(dialog.getByRole('button', { name: 'Lock this look' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent('PUT /api/themes/3/look')).toEqual([{ coverId: 2 }])
    expect(await (await section()).findByText(/taken from “Tide 1”/)).toBeVisible()
  })

  it('is released once that is confirmed', async () => {
    const user = userEvent.setup()
    let now: SeriesOut = drifting
    const { calls } = open({
      'GET /api/themes/3/series': () => now,
      'DELETE /api/themes/3/look': () => {
        now = free
        return now
      },
    })
    await user.click(await (await section()).findByRole('button', { name: 'Release the look' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Release the look?' }))
    expect(calls('DELETE /api/themes/3/look')).toBe(0)
    await user.click(dialog.getByRole('button', { name: 'Release the look' }))
    expect(await (await section()).findByText('No look is locked')).toBeVisible()
  })

  it('cannot be locked where all words are part of their pictures', async () => {
    open({ 'GET /api/themes/3/series': { ...free, volumes: [volume(3, { state: 'drawn' })] } })
    expect(await (await section()).findByText(/no look to lock/)).toBeVisible()
    expect((await section()).queryByRole('button', { name: 'Lock the look' })).toBeNull()
  })

  it('says why it cannot be read, and tries again', async () => {
    const user = userEvent.setup()
    let answer: unknown = new Refusal(503, 'The shelves are being painted.')
    open({ 'GET /api/themes/3/series': () => answer })
    const alert = await (await section()).findByRole('alert')
    expect(alert).toHaveTextContent('The shelves are being painted.')
    answer = drifting
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await (await section()).findByText('The look is locked')).toBeVisible()
  })
})

describe('what drifts', () => {
  it('is told in words, with a way back for each cover', async () => {
    const user = userEvent.setup()
    let now: SeriesOut = drifting
    const { sent } = open({
      'GET /api/themes/3/series': () => now,
      'POST /api/themes/3/look/run': run({ state: 'applying', done: 0, total: 1, changed: 0 }),
      'POST /api/themes/3/look/run/step': () => {
        now = { ...drifting, volumes: [volume(1), volume(2)], run: run({ done: 1, total: 1, changed: 1 }) }
        return now.run
      },
    })
    const list = await part('What differs from the look')
    const [second, third] = list.getAllByRole('listitem').filter((item) => item.querySelector('img'))
    expect(second).toHaveTextContent('Tide 2Title: another faceAuthor: 50% larger')
    expect(third).toHaveTextContent('Its words are part of the picture')
    expect(list.getByRole('link', { name: 'Edit the words of “Tide 3”' })).toHaveAttribute('href', '/cover/3/edit')
    await user.click(list.getByRole('button', { name: 'Apply the look to “Tide 2”' }))
    expect(await (await section()).findByText('1 cover has taken on the look.')).toBeVisible()
    expect(sent('POST /api/themes/3/look/run')).toEqual([{ coverIds: [2] }])
    expect(await (await section()).findByText('All covers have the look.')).toBeVisible()
  })
})

describe('applying the look to all', () => {
  const four: SeriesOut = { ...drifting, volumes: [volume(1), volume(2), volume(4), volume(5), volume(6)] }

  it('shows before and after of all that would change, and leaves some out', async () => {
    const user = userEvent.setup()
    const steps: LookRunOut[] = [run({ state: 'applying', done: 1, changed: 1 }), run()]
    const { sent } = open({
      'GET /api/themes/3/series': four,
      'POST /api/themes/3/look/previews': ({ coverIds }: { coverIds: number[] }) =>
        coverIds.map((id) => preview(id, id !== 1)),
      'POST /api/themes/3/look/run': run({ state: 'applying', done: 0, changed: 0 }),
      'POST /api/themes/3/look/run/step': () => steps.shift() ?? run(),
    })
    await user.click(await (await section()).findByRole('button', { name: 'Apply to all' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Before and after' }))
    expect(await dialog.findByRole('button', { name: 'Apply to 4 covers' })).toBeEnabled()
    expect(sent('POST /api/themes/3/look/previews')).toEqual([{ coverIds: [1, 2, 4, 5] }, { coverIds: [6] }])
    expect(dialog.queryByRole('checkbox', { name: 'Change “Tide 1”' })).toBeNull()
    await user.click(dialog.getByRole('checkbox', { name: 'Change “Tide 4”' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Change “Tide 6”' }))
    await user.click(dialog.getByRole('button', { name: 'Apply to 2 covers' }))
    await waitFor(() => expect(sent('POST /api/themes/3/look/run')).toEqual([{ coverIds: [2, 5] }]))
    await waitFor(() => expect(sent('POST /api/themes/3/look/run/step')).toHaveLength(2))
  })

  it('says so where all have it', async () => {
    const user = userEvent.setup()
    open({ 'POST /api/themes/3/look/previews': [preview(1, false), preview(2, false)] })
    await user.click(await (await section()).findByRole('button', { name: 'Apply to all' }))
    expect(await screen.findByText('All covers have this look already.')).toBeVisible()
  })

  it('is undone by one button', async () => {
    const user = userEvent.setup()
    let now: SeriesOut = { ...drifting, run: run() }
    open({
      'GET /api/themes/3/series': () => now,
      'POST /api/themes/3/look/run/undo': run({ state: 'undoing', done: 0 }),
      'POST /api/themes/3/look/run/step': () => {
        now = { ...drifting, run: run({ state: 'undone', changed: 0, kept: 1 }) }
        return now.run
      },
    })
    await user.click(await (await section()).findByRole('button', { name: 'Undo' }))
    expect(await (await section()).findByText('The covers are as they were before.')).toBeVisible()
    expect((await section()).getByText('1 cover was changed since and stays as it is.')).toBeVisible()
  })

  it('is continued or undone where it was interrupted', async () => {
    const user = userEvent.setup()
    let now: SeriesOut = { ...drifting, run: run({ state: 'applying', done: 1, changed: 1 }) }
    const { calls } = open({
      'GET /api/themes/3/series': () => now,
      'POST /api/themes/3/look/run/step': () => {
        now = { ...drifting, run: run() }
        return now.run
      },
    })
    expect(await (await section()).findByText(/applied to 1 of 2 covers/)).toBeVisible()
    expect((await section()).getByRole('button', { name: 'Apply to all' })).toBeDisabled()
    expect((await section()).getByRole('button', { name: 'Undo' })).toBeEnabled()
    expect(calls('POST /api/themes/3/look/run/step')).toBe(0)
    await user.click((await section()).getByRole('button', { name: 'Continue' }))
    expect(await (await section()).findByText('2 covers have taken on the look.')).toBeVisible()
  })

  it('stays where it is when the press does not answer, and says so', async () => {
    const user = userEvent.setup()
    open({
      'GET /api/themes/3/series': { ...drifting, run: run({ state: 'applying', done: 1, changed: 1 }) },
      'POST /api/themes/3/look/run/step': new Refusal(503, 'The words cannot be set just now.'),
    })
    await user.click(await (await section()).findByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('The work was interrupted')).toBeVisible()
    expect(await (await section()).findByRole('button', { name: 'Continue' })).toBeEnabled()
  })
})

describe('the shelf', () => {
  it('has fronts, and spines where there are books', async () => {
    const spine = { url: '/api/books/9/spine?v=1', width: 0.8, height: 9 }
    open({ 'GET /api/themes/3/shelf': [onShelf(1, { bookId: 9, spine }), onShelf(2)] })
    const shelf = await part('On the shelf')
    expect(shelf.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Book 1Tide 1',
      'Book 2Tide 2',
    ])
    const book = shelf.getByRole('link', { name: 'Open the book of “Tide 1”' })
    expect(book).toHaveAttribute('href', '/book/9')
    expect(book.querySelector('img')).toHaveAttribute('src', spine.url)
    expect(shelf.getByRole('link', { name: 'Edit the words of “Tide 2”' })).toHaveAttribute('href', '/cover/2/edit')
  })

  describe('with two spines', () => {
    const spine = { url: '/api/books/9/spine?v=1', width: 0.8, height: 9 }
    const volumes = [onShelf(1, { bookId: 9, spine }), onShelf(2, { bookId: 10, spine: { ...spine, url: '/2' } })]
    const answers = (drift: unknown) => ({
      'GET /api/themes/3/shelf': volumes,
      'GET /api/themes/3/shelf/drift': drift,
    })

    it('tells in what they differ, and leads to the book', async () => {
      const drifts = [
        { kind: 'height', by: -1 },
        { kind: 'author_place', by: 0.65 },
        { kind: 'no_mark', by: null },
      ]
      open(answers({ leadBookId: 9, compared: 2, spines: [{ bookId: 10, drifts }] }))
      const told = await part('Spines that differ from that of “Tide 1”')
      expect(told.getByRole('link', { name: 'Tide 2' })).toHaveAttribute('href', '/book/10')
      expect(told.getByText('1 in shorter')).toBeVisible()
      expect(told.getByText('Author’s name begins 0.65 in later')).toBeVisible()
      expect(told.getByText('No publisher’s mark')).toBeVisible()
    })

    it('says that they are alike', async () => {
      open(answers({ leadBookId: 9, compared: 2, spines: [] }))
      expect(await screen.findByText('All spines are alike.')).toBeVisible()
    })

    it('says that they could not be compared', async () => {
      open(answers(new Refusal(503, 'Busy.', undefined, 'edition_press_busy')))
      expect(await screen.findByText('The spines could not be compared just now.')).toBeVisible()
    })
  })
})
