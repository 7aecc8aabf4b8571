import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CoverOut } from '@/api/generated'
import { Refusal } from '@/test/render-app'
import { cover, later, nothingLeaves, openGallery, some, theme, titlesShown } from './test-gallery'

beforeEach(() => void nothingLeaves())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the gallery', () => {
  it('holds eight places until the covers are there', async () => {
    const answer = later<CoverOut[]>()
    const { gallery, picture } = openGallery({ 'GET /api/covers': () => answer.promise })
    const waiting = await within(await gallery()).findByRole('status')
    expect(waiting).toHaveTextContent('Loading...')
    expect(waiting.querySelector('[data-skeletons]')?.children).toHaveLength(8)
    answer.keep(some(2))
    await picture('The Salt Year')
    expect(waiting).not.toBeInTheDocument()
  })

  it('shows title, author and date of every cover', async () => {
    const old = new Date(Date.now() - 3.5 * 86_400_000).toISOString()
    const { picture } = openGallery({ 'GET /api/covers': [cover(1), cover(2, { createdAt: old })] })
    await picture('The Salt Year')
    const [first, second] = within(screen.getByRole('region', { name: 'Your covers' })).getAllByRole('listitem')
    expect(first).toHaveTextContent('The Salt YearInes Okafor·TodayStart a theme')
    expect(second).toHaveTextContent('Low OrbitInes Okafor·4 days agoStart a theme')
  })

  it('names a cover without a title', async () => {
    openGallery({ 'GET /api/covers': [cover(1, { title: '', author: '' })] })
    expect(await screen.findByRole('button', { name: 'Untitled' })).toBeVisible()
    expect(screen.getByText('Untitled')).toBeVisible()
  })

  it('sends who has no cover to the generator', async () => {
    const user = userEvent.setup()
    openGallery({ 'GET /api/covers': [] })
    await user.click(await screen.findByRole('button', { name: 'Make a cover' }))
    expect(screen.getByLabelText('What is the book about?')).toHaveFocus()
  })

  it('says so in its place when the answer is empty', async () => {
    openGallery({ 'GET /api/covers': new Response(null, { status: 204 }) })
    expect(await screen.findByRole('alert')).toHaveTextContent('Your covers could not be loaded')
    expect(screen.getByRole('button', { name: 'Generate cover' })).toBeVisible()
  })

  it('says why the covers cannot be read, and tries again', async () => {
    const user = userEvent.setup()
    let answer: unknown = new Refusal(503, 'The shelves are being painted.')
    const { picture } = openGallery({ 'GET /api/covers': () => answer })
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Your covers could not be loaded')
    expect(alert).toHaveTextContent('The shelves are being painted.')
    answer = some(1)
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await picture('The Salt Year')).toBeVisible()
  })

  it('leaves an answer of 401 to signing in again', async () => {
    const { gallery } = openGallery({ 'GET /api/covers': new Refusal(401, 'You are signed out.') })
    expect(await screen.findByText('You are logged out. Logging in again...')).toBeVisible()
    expect(within(await gallery()).queryByRole('alert')).toBeNull()
  })

  it('puts a cover that has just been made first', async () => {
    let shelf = some(2)
    const { picture, refresh } = openGallery({ 'GET /api/covers': () => shelf })
    const known = await picture('Low Orbit')
    shelf = [cover(3), ...shelf]
    await refresh()
    await picture('Kiln')
    expect(titlesShown()[0]).toBe('Kiln by Ines Okafor')
    expect(known).toBeInTheDocument()
  })

  it('goes on to the next page where the server says there is one', async () => {
    const user = userEvent.setup()
    const asked: (string | null)[] = []
    const { picture } = openGallery({
      'GET /api/covers': (_: unknown, { searchParams }: URL) => {
        asked.push(searchParams.get('cursor'))
        if (searchParams.has('cursor')) return [cover(3)]
        return Response.json(some(2), { headers: { link: '</api/covers?limit=24&cursor=Mg>; rel="next"' } })
      },
    })
    await picture('Low Orbit')
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    const next = await picture('Kiln')
    expect(asked).toEqual([null, 'Mg'])
    await waitFor(() => expect(next).toHaveFocus())
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  it('offers the next page again when it failed, and keeps what is there', async () => {
    const user = userEvent.setup()
    let fails = true
    const { picture } = openGallery({
      'GET /api/covers': (_: unknown, { searchParams }: URL) => {
        if (!searchParams.has('cursor'))
          return Response.json(some(1), { headers: { link: '</api/covers?cursor=Mg>; rel="next"' } })
        return fails ? new Refusal(503, 'Not now.') : [cover(2)]
      },
    })
    await picture('The Salt Year')
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.')
    expect(await picture('The Salt Year')).toBeVisible()
    fails = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await picture('Low Orbit')).toBeVisible()
  })
})

describe('finding covers', () => {
  it('is offered from the fifth cover on', async () => {
    const { picture } = openGallery({ 'GET /api/covers': some(4) })
    await picture('Hinterland')
    expect(screen.queryByRole('searchbox')).toBeNull()
  })

  it('asks the server once the typing rests, and can be taken back', async () => {
    const user = userEvent.setup()
    const asked: (string | null)[] = []
    const { picture } = openGallery({
      'GET /api/covers': (_: unknown, { searchParams }: URL) => {
        asked.push(searchParams.get('search'))
        return searchParams.has('search') ? [] : some(5)
      },
    })
    await picture('Paper Cities')
    await user.type(screen.getByRole('searchbox', { name: 'Search covers' }), 'whales')
    expect(await screen.findByText('No covers match')).toBeVisible()
    expect(asked).toEqual([null, 'whales'])
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(await picture('Paper Cities')).toBeVisible()
    expect(screen.getByRole('searchbox')).toHaveValue('')
  })

  it('sorts, and shows the starred ones only', async () => {
    const user = userEvent.setup()
    const { picture } = openGallery({
      'GET /api/covers': (_: unknown, { searchParams }: URL) => {
        if (searchParams.get('starred') === 'true') return [cover(2, { starred: true })]
        return searchParams.get('sort') === 'title' ? some(5).reverse() : some(5)
      },
    })
    await picture('Paper Cities')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'By title')
    await waitFor(() => expect(titlesShown()[0]).toBe('Paper Cities by Ines Okafor'))
    await user.click(screen.getByRole('button', { name: 'Starred only' }))
    await waitFor(() => expect(titlesShown()).toEqual(['Low Orbit by Ines Okafor']))
  })
})

describe('a cover', () => {
  const actions = (title: string) => within(screen.getByRole('toolbar', { name: `Actions for ${title}` }))

  it('is gone at once when deleted, and comes back by Undo', async () => {
    const user = userEvent.setup()
    const deletion = later<Response>()
    let bin: number[] = []
    const { picture, sent } = openGallery({
      'GET /api/covers': () => some(3).filter(({ id }) => !bin.includes(id)),
      'DELETE /api/covers/2': () => deletion.promise,
      'POST /api/covers/2/restore': () => {
        bin = []
        return cover(2)
      },
    })
    await picture('Low Orbit')
    await user.click(actions('Low Orbit').getByRole('button', { name: 'Delete' }))
    expect(titlesShown()).toEqual(['The Salt Year by Ines Okafor', 'Kiln by Ines Okafor'])
    expect(await picture('Kiln')).toHaveFocus()
    bin = [2]
    deletion.keep(new Response(null, { status: 204 }))
    expect(await screen.findByText('Cover deleted')).toBeVisible()
    const undo = screen.getByRole('button', { name: 'Undo' })
    // the region of notices takes clicks a moment after the first notice is there
    await waitFor(() => expect(undo.closest('[role=region]')).not.toHaveStyle({ pointerEvents: 'none' }))
    await user.click(undo)
    expect(await picture('Low Orbit')).toBeVisible()
    expect(sent('POST /api/covers/2/restore')).toHaveLength(1)
    await waitFor(async () => expect(await picture('Low Orbit')).toHaveFocus())
  })

  it('does not take the next one with it when its bin is clicked twice', async () => {
    const { picture, sent } = openGallery({
      'GET /api/covers': some(3),
      'DELETE /api/covers/1': () => new Response(null, { status: 204 }),
    })
    await picture('The Salt Year')
    const at = { clientX: 200, clientY: 300 }
    fireEvent.click(actions('The Salt Year').getByRole('button', { name: 'Delete' }), { ...at, detail: 1 })
    await waitFor(() => expect(titlesShown()).toHaveLength(2))
    const next = actions('Low Orbit').getByRole('button', { name: 'Delete' })
    fireEvent.click(next, { ...at, detail: 2 })
    fireEvent.click(screen.getByRole('button', { name: 'Low Orbit by Ines Okafor' }), { ...at, detail: 3 })
    expect(titlesShown()).toHaveLength(2)
    expect(screen.queryByRole('dialog')).toBeNull()
    fireEvent.pointerMove(window, { clientX: 230, clientY: 300 })
    fireEvent.click(screen.getByRole('button', { name: 'Low Orbit by Ines Okafor' }), { clientX: 230, detail: 1 })
    expect(await screen.findByRole('dialog', { name: 'Low Orbit' })).toBeVisible()
    expect(sent('DELETE /api/covers/2')).toEqual([])
  })

  it('is back in its place when the deletion failed', async () => {
    const user = userEvent.setup()
    const deletion = later<Refusal>()
    const { picture } = openGallery({
      'GET /api/covers': some(3),
      'DELETE /api/covers/1': () => deletion.promise,
    })
    await picture('The Salt Year')
    await user.click(actions('The Salt Year').getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(titlesShown()).toHaveLength(2))
    deletion.keep(new Refusal(503, 'Not now.'))
    expect(await screen.findByText('Failed to delete cover. Please try again.')).toBeVisible()
    expect(screen.getByText('Error')).toBeVisible()
    await waitFor(() => expect(titlesShown()[0]).toBe('The Salt Year by Ines Okafor'))
  })

  it('is back, without another message, when the session has ended meanwhile', async () => {
    const user = userEvent.setup()
    const { picture } = openGallery({
      'GET /api/covers': some(2),
      'DELETE /api/covers/1': new Refusal(401, 'You are signed out.'),
    })
    await picture('The Salt Year')
    await user.click(actions('The Salt Year').getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Unauthorized')).toBeVisible()
    expect(screen.getByText('You are logged out. Logging in again...')).toBeVisible()
    expect(screen.queryByText('Error')).toBeNull()
    expect(await picture('The Salt Year')).toBeVisible()
    await waitFor(() => expect(window.location.assign).toHaveBeenCalledWith('/api/login'))
  })

  it('leaves an empty shelf, and the focus on its heading, when it was the last', async () => {
    const user = userEvent.setup()
    const { picture } = openGallery({
      'GET /api/covers': some(1),
      'DELETE /api/covers/1': () => new Response(null, { status: 204 }),
    })
    await picture('The Salt Year')
    await user.click(actions('The Salt Year').getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Your shelf is waiting for its first book')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Your covers' })).toHaveFocus()
  })

  it('shows its star at once, and keeps it', async () => {
    const user = userEvent.setup()
    const answer = later<CoverOut>()
    const { picture, sent } = openGallery({
      'GET /api/covers': some(1),
      'PATCH /api/covers/1': () => answer.promise,
    })
    await picture('The Salt Year')
    const star = actions('The Salt Year').getByRole('button', { name: 'Starred' })
    expect(star).toHaveAttribute('aria-pressed', 'false')
    await user.click(star)
    expect(star).toHaveAttribute('aria-pressed', 'true')
    answer.keep(cover(1, { starred: true }))
    await waitFor(() =>
      expect(sent('PATCH /api/covers/1')).toEqual([expect.objectContaining({ body: { starred: true } })]),
    )
    expect(await screen.findByRole('img', { name: 'Starred' })).toBeVisible()
    expect(star).toHaveAttribute('aria-pressed', 'true')
  })

  it('loses a star that could not be kept', async () => {
    const user = userEvent.setup()
    const answer = later<Refusal>()
    const { picture } = openGallery({ 'GET /api/covers': some(1), 'PATCH /api/covers/1': () => answer.promise })
    await picture('The Salt Year')
    const star = actions('The Salt Year').getByRole('button', { name: 'Starred' })
    await user.click(star)
    expect(star).toHaveAttribute('aria-pressed', 'true')
    answer.keep(new Refusal(503, 'Not now.'))
    expect(await screen.findByText('Failed to change the star. Please try again.')).toBeVisible()
    await waitFor(() => expect(star).toHaveAttribute('aria-pressed', 'false'))
  })

  it('is downloaded in the format chosen, named after its title', async () => {
    const user = userEvent.setup()
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click')
    const names: string[] = []
    saved.mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    const formats: (string | null)[] = []
    const { picture } = openGallery({
      'GET /api/covers': some(1),
      'GET /api/covers/1/download': (_: unknown, { searchParams }: URL) => {
        formats.push(searchParams.get('format'))
        return new Response('picture')
      },
    })
    await picture('The Salt Year')
    await user.click(actions('The Salt Year').getByRole('button', { name: 'Download' }))
    await user.click(await screen.findByRole('menuitem', { name: /JPEG/ }))
    await waitFor(() => expect(names).toEqual(['the_salt_year.jpg']))
    expect(formats).toEqual(['jpeg'])
  })

  it('says why it could not be downloaded', async () => {
    const user = userEvent.setup()
    const { picture } = openGallery({
      'GET /api/covers': some(1),
      'GET /api/covers/1/download': new Refusal(429, 'Slowly.', undefined, 'rate_limited'),
    })
    await picture('The Salt Year')
    await user.click(actions('The Salt Year').getByRole('button', { name: 'Download' }))
    await user.click(await screen.findByRole('menuitem', { name: /PNG/ }))
    expect(await screen.findByText('Too many attempts. Please wait a moment and try again.')).toBeVisible()
  })

  it('opens large with its size, turns by arrow keys, and gives the focus back', async () => {
    const user = userEvent.setup()
    const { picture } = openGallery({
      'GET /api/covers': [cover(1), cover(2, { width: 2550, height: 3300 }), cover(3)],
    })
    await user.click(await picture('The Salt Year'))
    const dialog = await screen.findByRole('dialog', { name: 'The Salt Year' })
    expect(within(dialog).getByText('1,800 × 2,700 px')).toBeVisible()
    expect(within(dialog).getByText('6 × 9 in at 300 dpi')).toBeVisible()
    expect(within(dialog).getByRole('button', { name: 'Previous cover' })).toHaveAttribute('aria-disabled', 'true')
    await user.keyboard('{ArrowRight}')
    expect(await screen.findByRole('dialog', { name: 'Low Orbit' })).toBeVisible()
    expect(screen.getByText('8.5 × 11 in at 300 dpi')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Next cover' }))
    expect(await screen.findByRole('dialog', { name: 'Kiln' })).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await picture('Kiln')).toHaveFocus()
  })

  it('is put into a theme from its large view, which waits beneath', async () => {
    const user = userEvent.setup()
    const { picture, sent } = openGallery({
      'GET /api/covers': some(2),
      'GET /api/themes': [theme(7, 'Harbour')],
      'POST /api/covers/1/theme': cover(1, { themeId: 7 }),
    })
    await user.click(await picture('The Salt Year'))
    const large = await screen.findByRole('dialog', { name: 'The Salt Year' })
    await user.click(within(large).getByRole('button', { name: 'Add to theme' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add to theme' })
    within(dialog).getByRole('button', { name: 'Cancel' }).focus()
    await user.keyboard('{ArrowRight}')
    await user.click(within(dialog).getByRole('radio', { name: /Harbour/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Add to theme' }))
    expect(await screen.findByText('Added to theme')).toBeVisible()
    expect(sent('POST /api/covers/1/theme')).toHaveLength(1)
    expect(await within(large).findByRole('link', { name: 'Harbour' })).toBeVisible()
    expect(screen.getByRole('dialog', { name: 'The Salt Year' })).toBeVisible()
  })

  it('has every action in its menu', async () => {
    const user = userEvent.setup()
    const { picture } = openGallery({ 'GET /api/covers': some(1), 'GET /api/themes': [theme(1, 'Harbour')] })
    await picture('The Salt Year')
    await user.click(screen.getByRole('button', { name: 'Actions for The Salt Year' }))
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
    expect(items).toEqual([
      'View',
      'Add a star',
      'Add to theme',
      'Edit words',
      'Make a book',
      'How it was made',
      'Select',
      'PNG, for screens',
      'JPEG, a smaller file',
      'WebP, for the web Pro',
      'Full size: trim size without bleed Pro',
      'Delete',
    ])
    await user.click(screen.getByRole('menuitem', { name: 'View' }))
    expect(await screen.findByRole('dialog', { name: 'The Salt Year' })).toBeVisible()
  })
})
