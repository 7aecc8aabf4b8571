import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Block, CoverLettering, Lettering } from '@/api/generated'
import { cover } from '@/test/cover'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { reduce } from './hooks/use-editor'
import { moved, sized } from './model/blocks'
import { textsOf, toSave } from './model/lettering'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const block = (role: Block['role'], text: string): Block => ({
  role,
  text,
  area: { left: 0.1, top: 0.1, width: 0.8, height: 0.2 },
  font: 'playfair',
  color: '#ffffff',
})
const set = (title: string): Lettering => ({ style: 's1', blocks: [block('title', title), block('author', 'Ada')] })

const version = (number: number, isPartOfPicture = false) => ({
  number,
  createdAt: '2026-11-02T10:00:00Z',
  isPartOfPicture,
})
const state = (change: Partial<CoverLettering> = {}): CoverLettering => ({
  cover,
  version: 1,
  lettering: set('Salt'),
  artworkUrl: '/api/covers/7/artwork?size=960&v=1',
  isArtworkApart: true,
  versions: [version(1)],
  ...change,
})

type Change = { version: number; lettering: Lettering | null; continues: boolean }

const ink = (role: Block['role']) => ({
  role,
  left: 0.2,
  top: 0.1,
  width: 0.6,
  height: 0.1,
  size: 0.1,
  missing: '',
})
const measured = (role: Block['role'], change = {}) => ({
  role,
  contrast: 12.34,
  needed: 3,
  fits: true,
  unfit: '',
  missing: '',
  inside: true,
  remedies: [],
  ...change,
})

function openStudio(answers: Record<string, unknown> = {}) {
  let stored = state()
  return renderApp('/cover/7/edit', {
    'GET /api/auth/user': { ...reader, emailVerified: true, hasPassword: true },
    'GET /api/covers': [],
    'GET /api/themes': [],
    'GET /api/covers/7/lettering': () => stored,
    'PUT /api/covers/7/lettering': (body: Change) => {
      stored = state({ version: body.version + 1, lettering: body.lettering, versions: [version(2), version(1)] })
      return stored
    },
    'POST /api/lettering/layout': ({ lettering }: { lettering: Lettering }) => ({
      svg: `<svg xmlns="http://www.w3.org/2000/svg"><desc>${Object.values(textsOf(lettering)).join()}</desc></svg>`,
      blocks: (lettering.blocks ?? []).map(({ role }) => ink(role)),
      soft: [],
    }),
    'POST /api/covers/7/lettering/measure': ({ lettering }: { lettering: Lettering }) => ({
      blocks: (lettering.blocks ?? []).map(({ role }) => measured(role)),
      palette: ['#ffffff', '#224466'],
    }),
    'POST /api/lettering/faces': [
      { font: 'playfair', family: 'Playfair Display', cut: 'Bold', svg: '<svg/>' },
      { font: 'rye', family: 'Rye', cut: 'Regular', svg: '<svg/>' },
    ],
    'GET /api/lettering/styles': ['s1', 'dead-drop', 's3'].map((id) => ({ id, name: id, genres: ['thriller'] })),
    'POST /api/covers/7/lettering/previews': ({ lettering, styles }: { lettering: Lettering; styles: string[] }) =>
      styles.map((style) => ({ style, lettering: { ...lettering, style }, svg: '<svg/>', soft: [] })),
    ...answers,
  })
}

const title = () => screen.findByRole('textbox', { name: 'Title' })
const saves = (requests: { call: string; body: unknown }[]) =>
  requests.filter(({ call }) => call === 'PUT /api/covers/7/lettering').map(({ body }) => body as Change)

/** Saves without waiting until work rests. */
const saveNow = () => fireEvent.keyDown(document.body, { key: 's', ctrlKey: true })
const open = async (user: ReturnType<typeof userEvent.setup>, tab: string) =>
  user.click(await screen.findByRole('tab', { name: tab }))
const blocksOf = (change: Change | undefined) => change?.lettering?.blocks ?? []

describe('the words of a cover', () => {
  it('are seen as they are typed, saved by themselves once work rests, and can be taken back', async () => {
    const user = userEvent.setup()
    const { requests } = openStudio()
    await user.clear(await title())
    await user.type(await title(), 'Pepper')
    expect(screen.getByText('Not saved yet')).toBeVisible()
    await waitFor(() => {
      const drawn = document.querySelector('.book [data-outlines]')?.getAttribute('src') ?? ''
      expect(decodeURIComponent(drawn)).toContain('Pepper,Ada')
    })
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(saves(requests)).toEqual([{ version: 1, lettering: set('Pepper'), continues: false }])
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await title()).toHaveValue('Salt')
    saveNow()
    await waitFor(() => expect(saves(requests)).toHaveLength(2))
    expect(saves(requests)[1], 'one step of work').toEqual({ version: 2, lettering: set('Salt'), continues: true })
    await user.click(screen.getByRole('button', { name: 'Redo' }))
    expect(await title()).toHaveValue('Pepper')
  })

  it('lose a line whose field is left blank, and get one that is filled placed by the press', async () => {
    const user = userEvent.setup()
    const placed = { ...set('Salt'), blocks: [block('title', 'Salt'), block('tagline', 'A tale')] }
    const { requests } = openStudio({ 'POST /api/covers/7/lettering/suggestion': placed })
    await user.clear(await screen.findByRole('textbox', { name: 'Author' }))
    await user.type(screen.getByRole('textbox', { name: 'Tagline' }), 'A tale')
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('POST /api/covers/7/lettering/suggestion'))
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Tagline' })).toHaveValue('A tale'))
    saveNow()
    await waitFor(() =>
      expect(textsOf(saves(requests).at(-1)?.lettering ?? {})).toEqual({ title: 'Salt', tagline: 'A tale' }),
    )
  })

  it('keep their texts in another style, which is a version of its own', async () => {
    const user = userEvent.setup()
    const { requests } = openStudio()
    await user.type(await title(), '!')
    saveNow()
    await waitFor(() => expect(saves(requests)).toHaveLength(1))
    await open(user, 'Style')
    await user.click(await screen.findByRole('button', { name: 'Dead drop' }))
    expect(screen.getByRole('button', { name: 'Dead drop' })).toHaveAttribute('aria-pressed', 'true')
    saveNow()
    await waitFor(() => expect(saves(requests)[1]).toMatchObject({ version: 2, continues: false }))
    expect(saves(requests)[1]?.lettering?.style).toBe('dead-drop')
    expect(textsOf(saves(requests)[1]?.lettering ?? {})).toEqual({ title: 'Salt!', author: 'Ada' })
  })

  it('that were changed elsewhere are shown beside mine, and one is chosen', async () => {
    const user = userEvent.setup()
    let moved = true
    const { requests } = openStudio({
      'GET /api/covers/7/lettering': () =>
        saves(requests).length ? state({ version: 5, lettering: set('Theirs') }) : state(),
      'PUT /api/covers/7/lettering': (body: Change) => {
        if (moved) return new Refusal(409, 'Changed elsewhere.', undefined, 'version_conflict')
        return state({ version: body.version + 1, lettering: body.lettering })
      },
    })
    await user.type(await title(), ' and Sea')
    saveNow()
    const dialog = await screen.findByRole('dialog', { name: 'These words were changed elsewhere' })
    expect(await within(dialog).findByText('The newer one')).toBeVisible()
    expect(within(dialog).getByText('Yours')).toBeVisible()
    moved = false
    await user.click(within(dialog).getByRole('button', { name: 'Save mine' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(saves(requests).map((change) => change.version)).toEqual([1, 5]))
    moved = true
    await user.type(await title(), '!')
    saveNow()
    await waitFor(async () => expect(await screen.findByRole('button', { name: 'Show the newer one' })).toBeEnabled())
    await user.click(screen.getByRole('button', { name: 'Show the newer one' }))
    await waitFor(async () => expect(await title()).toHaveValue('Theirs'))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await title()).toHaveValue('Salt and Sea!')
  })

  it('that are part of the picture are set over it', async () => {
    const user = userEvent.setup()
    openStudio({
      'GET /api/covers/7/lettering': state({ lettering: null, isArtworkApart: false, versions: [version(1, true)] }),
      'POST /api/covers/7/lettering/suggestion': set('Over it'),
    })
    expect(await screen.findByRole('heading', { name: 'The words are part of this picture' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Set words over it' }))
    expect(await title()).toHaveValue('Over it')
  })

  it('that came with a picture are set anew on the picture without them', async () => {
    const user = userEvent.setup()
    openStudio({
      'GET /api/covers/7/lettering': state({ lettering: null, versions: [version(1, true)] }),
      'POST /api/covers/7/lettering/suggestion': set('Anew'),
    })
    expect(await screen.findByRole('heading', { name: 'These words were set with the picture' })).toBeVisible()
    const shown = () => screen.getByAltText('Preview of the cover “Salt”').getAttribute('src')
    expect(shown()).toBe('/c/7-960.webp')
    await user.click(screen.getByRole('button', { name: 'Set the words anew' }))
    expect(await title()).toHaveValue('Anew')
    expect(shown()).toContain('/artwork')
  })

  it('can be those of an earlier version again', async () => {
    const user = userEvent.setup()
    const { requests } = openStudio({
      'GET /api/covers/7/lettering': state({ version: 9, versions: [version(9), version(1)] }),
      'POST /api/covers/7/lettering/versions/1/restore': state({ version: 10, lettering: set('First') }),
    })
    await open(user, 'Versions')
    expect(screen.getByText('Version 2')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Restore: Version 1' }))
    await waitFor(() => expect(requests.find(({ call }) => call.endsWith('/restore'))?.body).toEqual({ version: 9 }))
    await open(user, 'Words')
    await waitFor(async () => expect(await title()).toHaveValue('First'))
  })

  it('say so when they cannot be loaded or saved', async () => {
    const user = userEvent.setup()
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let lettering: unknown = new Refusal(503, 'Away.')
    const { requests } = openStudio({
      'GET /api/covers/7/lettering': () => lettering,
      'PUT /api/covers/7/lettering': new Refusal(503, 'Busy.', undefined, 'press_busy'),
    })
    expect(await screen.findByText('The words of this cover could not be loaded')).toBeVisible()
    lettering = state()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await user.type(await title(), '!')
    saveNow()
    expect(await screen.findByText('Could not save')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(saves(requests)).toHaveLength(2))
  })

  it('are there again after the page was reloaded, with the way back', async () => {
    const user = userEvent.setup()
    const away = { 'PUT /api/covers/7/lettering': () => new Promise(() => undefined) }
    openStudio(away)
    await user.click(await title())
    await user.paste(' and Sea') // typed key by key, a slow machine makes two steps of it
    expect(await title()).toHaveValue('Salt and Sea')
    cleanup()
    openStudio(away)
    expect(await title()).toHaveValue('Salt and Sea')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await title()).toHaveValue('Salt')
  })
})

describe('a block set by hand', () => {
  it('is chosen in the list or on the picture, and moved with the keys', async () => {
    const user = userEvent.setup()
    const { requests } = openStudio()
    const box = await screen.findByRole('button', { name: 'Author: Ada' })
    await user.click(box)
    expect(screen.getByRole('tab', { name: 'Type' })).toHaveAttribute('aria-selected', 'true')
    const list = await screen.findByRole('list', { name: 'Lines on the cover' })
    expect(within(list).getByRole('button', { name: /Ada/ })).toHaveAttribute('aria-pressed', 'true')
    await user.click(within(list).getByRole('button', { name: /Salt/ }))
    const chosen = screen.getByRole('button', { name: 'Title: Salt' })
    expect(chosen).toHaveAttribute('aria-pressed', 'true')
    fireEvent.keyDown(chosen, { key: 'ArrowDown', shiftKey: true })
    saveNow()
    await waitFor(() => expect(saves(requests)).toHaveLength(1))
    expect(blocksOf(saves(requests)[0])[0]).toMatchObject({
      held: ['place'],
      area: { left: 0.1, top: expect.closeTo(0.15) },
    })
    expect(blocksOf(saves(requests)[0])[1]).toEqual(block('author', 'Ada'))
  })

  it('keeps its face, color and place, until it is handed back', async () => {
    const user = userEvent.setup()
    const { requests } = openStudio({
      'POST /api/covers/7/lettering/suggestion': ({ lettering }: { lettering: Lettering }) => ({
        ...lettering,
        blocks: (lettering.blocks ?? []).map((one) => ({ ...one, color: '#123456', held: ['font', 'place'] })),
      }),
    })
    await open(user, 'Type')
    await user.click(await screen.findByRole('button', { name: 'Playfair Display Bold' }))
    await user.click(await screen.findByRole('radio', { name: 'Rye Regular' }))
    await user.click(await screen.findByRole('button', { name: 'Color #224466 of the picture' }))
    await user.click(screen.getByRole('button', { name: 'Bottom right' }))
    saveNow()
    await waitFor(() => expect(saves(requests).length).toBeGreaterThan(0))
    expect(blocksOf(saves(requests).at(-1))[0]).toMatchObject({
      font: 'rye',
      color: '#224466',
      align: 'right',
      valign: 'bottom',
      held: ['font', 'place', 'align', 'color'],
    })
    await user.click(screen.getByRole('button', { name: 'Color: let the press choose' }))
    await waitFor(() =>
      expect(requests.find(({ call }) => call.endsWith('/suggestion'))?.body).toMatchObject({
        freed: { index: 0, properties: ['color'] },
      }),
    )
    await waitFor(() => expect(screen.getByLabelText('Color', { selector: 'input' })).toHaveValue('#123456'))
  })

  it('that cannot be read says so in figures, and is mended with one click', async () => {
    const user = userEvent.setup()
    const mended = { ...block('title', 'Salt'), color: '#000000' }
    const bad = { contrast: 2.19, remedies: [{ kind: 'color', block: mended, contrast: 7.7 }] }
    const { requests } = openStudio({
      'POST /api/covers/7/lettering/measure': { blocks: [measured('title', bad), measured('author')], palette: [] },
    })
    await open(user, 'Type')
    expect(await screen.findByText('2.1 : 1')).toBeVisible()
    expect(screen.getByText('Hard to read (needs 3)')).toBeVisible()
    await user.click(screen.getByRole('button', { name: /Change the color/ }))
    saveNow()
    await waitFor(() => expect(blocksOf(saves(requests)[0])[0]).toEqual(mended))
  })

  it('stands on a picture that is cropped, darkened and blurred with it', async () => {
    const user = userEvent.setup()
    const { requests } = openStudio()
    await open(user, 'Picture')
    expect(screen.getByText(/^Nothing is cut off now/)).toBeVisible()
    expect(screen.getByRole('slider', { name: 'Left to right' })).toBeDisabled()
    fireEvent.change(screen.getByRole('slider', { name: 'Crop' }), { target: { value: '2' } })
    expect(screen.queryByText(/^Nothing is cut off now/)).toBeNull()
    fireEvent.change(screen.getByRole('slider', { name: 'Darken' }), { target: { value: '0.4' } })
    saveNow()
    await waitFor(() =>
      expect(saves(requests)[0]?.lettering?.artwork).toEqual({ zoom: 2, x: 0.5, y: 0.5, darken: 0.4, blur: 0 }),
    )
    await user.click(screen.getByRole('button', { name: 'Show it as it was made' }))
    expect(screen.getByRole('slider', { name: 'Crop' })).toHaveValue('1')
  })
})

describe('where a block goes', () => {
  const title = block('title', 'Salt')
  const at = ink('title')

  it.each(['left', 'center', 'right'] as const)('its letters move by what was asked for, hung %s', (align) => {
    const { area } = moved({ ...title, align }, at, 0.05, 0)
    expect(area.left).toBeCloseTo(0.15)
    expect(area.width).toBeCloseTo(0.8)
  })

  it('its letters stay on the cover', () => {
    expect(moved(title, at, -9, -9).area).toMatchObject({ top: 0 })
    const { area } = moved(title, at, 9, 9)
    expect(area.left + area.width).toBeLessThanOrEqual(1 + 1e-9)
    expect(area.top).toBeCloseTo(0.9)
  })

  it('a larger size makes the area larger only when it has to', () => {
    expect(sized(title, at, 0.05)).toMatchObject({ maxSize: 0.05, area: title.area, held: ['size'] })
    const grown = sized(title, at, 0.15)
    expect(grown.area.width).toBeCloseTo(0.6 * 1.5 * 1.02)
    expect(grown.held).toEqual(['size', 'place'])
  })
})

describe('the steps of an editor', () => {
  const begun = { past: [], now: set('a'), future: [], last: undefined, chapter: 0 }
  const change = (from: Parameters<typeof reduce>[0], text: string, field: string, at: number) =>
    reduce(from, { kind: 'change', lettering: set(text), field, at })

  it('are undone by field, not by letter', () => {
    const typed = change(change(change(begun, 'ab', 'title', 0), 'abc', 'title', 500), 'abcd', 'title', 5_000)
    expect(typed.past).toEqual([set('a'), set('abc')])
    const back = reduce(reduce(typed, { kind: 'undo' }), { kind: 'undo' })
    expect(back.now).toEqual(set('a'))
    expect(reduce(back, { kind: 'undo' })).toBe(back)
    expect(reduce(back, { kind: 'redo' }).now).toEqual(set('abc'))
    expect(change(back, 'x', 'style', 9_000).future).toEqual([])
  })

  it('save no blank lines, and nothing when all are', () => {
    expect(toSave(set(' '))?.blocks).toHaveLength(1)
    expect(toSave({ blocks: [block('title', ' ')] })).toBeNull()
  })
})
