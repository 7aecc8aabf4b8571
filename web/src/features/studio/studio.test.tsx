import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Block, CoverLettering, Lettering } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { reduce } from './hooks/use-editor'
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

const cover = {
  id: 7,
  title: 'Salt',
  author: 'Ada',
  genre: 'Literary',
  subtitle: '',
  series: '',
  number: '',
  tagline: '',
  imageUrl: '/c/7.png',
  previewUrl: '/c/7-960.webp',
  thumbnailUrl: '/c/7-320.webp',
  width: 1800,
  height: 2700,
  tint: '#224466',
  placeholder: null,
  themeId: null,
  starred: false,
  createdAt: '2026-11-01T10:00:00Z',
  deletedAt: null,
}
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

type Change = { version: number; lettering: Lettering | null }

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
    }),
    'GET /api/lettering/styles': ['s1', 's2', 's3'].map((id) => ({ id, name: id, genres: [] })),
    'POST /api/covers/7/lettering/previews': ({ lettering, styles }: { lettering: Lettering; styles: string[] }) =>
      styles.map((style) => ({ style, lettering: { ...lettering, style }, svg: '<svg/>' })),
    ...answers,
  })
}

const title = () => screen.findByRole('textbox', { name: 'Title' })
const saves = (requests: { call: string; body: unknown }[]) =>
  requests.filter(({ call }) => call === 'PUT /api/covers/7/lettering').map(({ body }) => body as Change)

describe('the words of a cover', () => {
  it('are seen as they are typed, saved as a new version, and can be taken back before', async () => {
    const user = userEvent.setup()
    const { requests } = openStudio()
    const save = await screen.findByRole('button', { name: 'Save' })
    expect(save).toBeDisabled()
    await user.clear(await title())
    await user.type(await title(), 'Pepper')
    await waitFor(() => {
      const drawn = document.querySelector('.book [data-outlines]')?.getAttribute('src') ?? ''
      expect(decodeURIComponent(drawn)).toContain('Pepper,Ada')
    })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await title()).toHaveValue('Salt')
    expect(save).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Redo' }))
    expect(await title()).toHaveValue('Pepper')
    await user.click(save)
    expect(await screen.findByText('The words are saved')).toBeVisible()
    expect(saves(requests)).toEqual([{ version: 1, lettering: set('Pepper') }])
    expect(save).toBeDisabled()
    expect(screen.getByText('Version 2')).toBeVisible()
  })

  it('lose a line whose field is left blank, and get one that is filled placed by the press', async () => {
    const user = userEvent.setup()
    const placed = { ...set('Salt'), blocks: [block('title', 'Salt'), block('tagline', 'A tale')] }
    const { requests } = openStudio({ 'POST /api/covers/7/lettering/suggestion': placed })
    await user.clear(await screen.findByRole('textbox', { name: 'Author' }))
    await user.type(screen.getByRole('textbox', { name: 'Tagline' }), 'A tale')
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('POST /api/covers/7/lettering/suggestion'))
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Tagline' })).toHaveValue('A tale'))
    const save = screen.getByRole('button', { name: 'Save' })
    await waitFor(() => expect(save).toBeEnabled())
    await user.click(save)
    await waitFor(() => expect(saves(requests)).toHaveLength(1))
    expect(textsOf(saves(requests)[0]?.lettering ?? {})).toEqual({ title: 'Salt', tagline: 'A tale' })
  })

  it('keep their texts in another style', async () => {
    const user = userEvent.setup()
    const { requests } = openStudio()
    await user.click(await screen.findByRole('button', { name: 'Style 2' }))
    expect(screen.getByRole('button', { name: 'Style 2' })).toHaveAttribute('aria-pressed', 'true')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saves(requests)[0]?.lettering?.style).toBe('s2'))
    expect(textsOf(saves(requests)[0]?.lettering ?? {})).toEqual({ title: 'Salt', author: 'Ada' })
  })

  it('that were changed elsewhere are saved over, or shown', async () => {
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
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('dialog', { name: 'These words were changed elsewhere' })).toBeVisible()
    moved = false
    await user.click(screen.getByRole('button', { name: 'Save mine' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(saves(requests).map((change) => change.version)).toEqual([1, 5])
    moved = true
    await user.type(await title(), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Show the newer one' }))
    await waitFor(async () => expect(await title()).toHaveValue('Theirs'))
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
      'GET /api/covers/7/lettering': state({ version: 2, versions: [version(2), version(1)] }),
      'POST /api/covers/7/lettering/versions/1/restore': state({ version: 3, lettering: set('First') }),
    })
    await user.click(await screen.findByRole('button', { name: 'Restore: Version 1' }))
    await waitFor(async () => expect(await title()).toHaveValue('First'))
    const asked = requests.find(({ call }) => call.endsWith('/restore'))
    expect(asked?.body).toEqual({ version: 2 })
  })

  it('say so when they cannot be loaded or saved', async () => {
    const user = userEvent.setup()
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let lettering: unknown = new Refusal(503, 'Away.')
    openStudio({
      'GET /api/covers/7/lettering': () => lettering,
      'PUT /api/covers/7/lettering': new Refusal(503, 'Busy.', undefined, 'press_busy'),
    })
    expect(await screen.findByText('The words of this cover could not be loaded')).toBeVisible()
    lettering = state()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await user.type(await title(), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The words could not be saved')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
  })
})

describe('the steps of an editor', () => {
  const begun = { past: [], now: set('a'), future: [], last: undefined }
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
