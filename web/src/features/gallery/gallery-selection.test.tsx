import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '@/test/render-app'
import { cover, later, nothingLeaves, openGallery, some, theme, titlesShown } from './test-gallery'

let saved: { name: string; address: string }[] = []
beforeEach(() => {
  saved = nothingLeaves()
  window.localStorage.clear()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const bar = () => screen.findByRole('toolbar', { name: 'Selected covers' })
const chosen = () =>
  screen
    .getAllByRole('checkbox', { name: /^Select / })
    .filter((box) => (box as HTMLInputElement).checked)
    .map((box) => box.getAttribute('aria-label'))
const act = async (name: string) => within(await bar()).getByRole('button', { name })

async function open(answers: Record<string, unknown> = {}) {
  const user = userEvent.setup()
  const opened = openGallery({ 'GET /api/covers': some(5), ...answers })
  await opened.picture('Paper Cities')
  return { user, ...opened }
}

describe('choosing covers', () => {
  it('begins with a check mark, takes a range with Shift, and ends with Escape', async () => {
    const { user, picture } = await open()
    await user.click(screen.getByRole('checkbox', { name: 'Select Low Orbit' }))
    expect(await bar()).toHaveTextContent('1 selected')
    await user.keyboard('{Shift>}')
    await user.click(await picture('Hinterland'))
    await user.keyboard('{/Shift}')
    expect(chosen()).toEqual(['Select Low Orbit', 'Select Kiln', 'Select Hinterland'])
    expect(await bar()).toHaveTextContent('3 selected')
    await user.click(await picture('Kiln'))
    expect(chosen()).toEqual(['Select Low Orbit', 'Select Hinterland'])
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('toolbar', { name: 'Selected covers' })).toBeNull()
    expect(chosen()).toEqual([])
  })

  it('takes all covers shown with Ctrl+A, and one with X', async () => {
    const { user, picture } = await open()
    const first = await picture('The Salt Year')
    first.focus()
    await user.keyboard('x')
    expect(chosen()).toEqual(['Select The Salt Year'])
    await user.keyboard('{Control>}a{/Control}')
    expect(chosen()).toHaveLength(5)
    expect(first).toHaveAttribute('aria-pressed', 'true')
  })

  it('begins under a finger that rests, and does not open the cover then', async () => {
    const { picture } = await open()
    const kiln = await picture('Kiln')
    vi.useFakeTimers()
    fireEvent.pointerDown(kiln, { pointerType: 'touch' })
    vi.advanceTimersByTime(600)
    vi.useRealTimers()
    fireEvent.pointerUp(kiln, { pointerType: 'touch' })
    fireEvent.click(kiln)
    expect(await bar()).toHaveTextContent('1 selected')
    expect(chosen()).toEqual(['Select Kiln'])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('has its button, and nothing to do until a cover is chosen', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Select' }))
    expect(await bar()).toHaveTextContent('0 selected')
    expect(await act('Delete')).toBeDisabled()
    await user.click(await act('Stop selecting'))
    expect(screen.queryByRole('toolbar', { name: 'Selected covers' })).toBeNull()
  })
})

describe('chosen covers', () => {
  it('are gone at once when deleted, and come back together by Undo', async () => {
    let bin: number[] = []
    const answer = later<unknown>()
    const { user, picture, sent } = await open({
      'GET /api/covers': () => some(5).filter(({ id }) => !bin.includes(id)),
      'POST /api/covers/bulk': (body: unknown) => {
        const { action, ids } = body as { action: string; ids: number[] }
        bin = action === 'delete' ? ids : []
        return action === 'delete' ? answer.promise : { changed: ids }
      },
    })
    for (const name of ['Select Low Orbit', 'Select Kiln']) await user.click(screen.getByRole('checkbox', { name }))
    await user.click(await act('Delete'))
    await waitFor(() => expect(titlesShown()).toHaveLength(3))
    expect(await picture('Hinterland')).toHaveFocus()
    answer.keep({ changed: [2, 3] })
    expect(await screen.findByText('2 covers deleted')).toBeVisible()
    const undo = screen.getByRole('button', { name: 'Undo' })
    // the region of notices takes clicks a moment after the first notice is there
    await waitFor(() => expect(undo.closest('[role=region]')).not.toHaveStyle({ pointerEvents: 'none' }))
    await user.click(undo)
    expect(await picture('Kiln')).toBeVisible()
    expect(sent('POST /api/covers/bulk').map(({ body }) => body)).toEqual([
      { ids: [2, 3], action: 'delete' },
      { ids: [2, 3], action: 'restore' },
    ])
  })

  it('are back when the deletion failed', async () => {
    const { user } = await open({ 'POST /api/covers/bulk': new Refusal(503, 'Not now.') })
    for (const name of ['Select Low Orbit', 'Select Kiln']) await user.click(screen.getByRole('checkbox', { name }))
    await user.click(await act('Delete'))
    expect(await screen.findByText('Failed to delete cover. Please try again.')).toBeVisible()
    await waitFor(() => expect(titlesShown()).toHaveLength(5))
  })

  it('get their stars together', async () => {
    const { user, sent } = await open({ 'POST /api/covers/bulk': { changed: [1, 2] } })
    for (const name of ['Select The Salt Year', 'Select Low Orbit'])
      await user.click(screen.getByRole('checkbox', { name }))
    await user.click(await act('Add a star'))
    expect(await screen.findAllByRole('img', { name: 'Starred' })).toHaveLength(2)
    await waitFor(() =>
      expect(sent('POST /api/covers/bulk').map(({ body }) => body)).toEqual([{ ids: [1, 2], action: 'star' }]),
    )
    expect(await act('Remove the star')).toBeEnabled()
  })

  it('are put into a theme together', async () => {
    const { user, sent } = await open({
      'GET /api/themes': [theme(7, 'Harbour')],
      'POST /api/covers/bulk': { changed: [1, 2] },
    })
    for (const name of ['Select The Salt Year', 'Select Low Orbit'])
      await user.click(screen.getByRole('checkbox', { name }))
    await user.click(await act('Add to theme'))
    await user.click(await screen.findByRole('radio', { name: /Harbour/ }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add to theme' }))
    expect(await screen.findByText('2 covers now belong to “Harbour”.')).toBeVisible()
    expect(sent('POST /api/covers/bulk').map(({ body }) => body)).toEqual([
      { ids: [1, 2], action: 'theme', themeId: 7 },
    ])
  })
})

const archive = (change: object = {}) => ({
  id: '019a0000-0000-7000-8000-000000000001',
  status: 'pending',
  paused: false,
  done: 0,
  total: 2,
  bytes: null,
  createdAt: '2026-10-01T10:00:00Z',
  expiresAt: null,
  downloadUrl: null,
  error: null,
  ...change,
})
const PATH = '/api/archives/019a0000-0000-7000-8000-000000000001'
const ready = archive({ status: 'completed', done: 2, bytes: 2_500_000, downloadUrl: `${PATH}/download` })

describe('an archive of covers', () => {
  async function pack(answers: Record<string, unknown>) {
    const opened = await open({ 'POST /api/archives': archive(), ...answers })
    const { user } = opened
    for (const name of ['Select The Salt Year', 'Select Low Orbit'])
      await user.click(screen.getByRole('checkbox', { name }))
    await user.click(await act('Download as ZIP'))
    await user.click(await screen.findByRole('menuitem', { name: /JPEG/ }))
    return opened
  }

  it('tells how far it is, and is saved by itself when it is ready', async () => {
    let state: object = archive({ status: 'processing', done: 1 })
    const { sent } = await pack({ [`GET ${PATH}`]: () => state })
    expect(await screen.findByText('Packing 1 of 2 covers')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Packing 1 of 2 covers' })).toHaveValue(1)
    expect(sent('POST /api/archives').map(({ body }) => body)).toEqual([{ coverIds: [1, 2], format: 'jpeg' }])
    state = ready
    expect(await screen.findByText('Your ZIP is ready: 2.5 MB')).toBeVisible()
    expect(saved).toEqual([{ name: '', address: `${PATH}/download` }])
  })

  it('is found again after a reload', async () => {
    window.localStorage.setItem('gallery-archive', archive().id)
    await open({ [`GET ${PATH}`]: ready })
    expect(await screen.findByText('Your ZIP is ready: 2.5 MB')).toBeVisible()
    expect(saved).toHaveLength(1)
    expect(window.localStorage.getItem('gallery-archive')).toBeNull()
  })

  it('that has expired meanwhile is forgotten', async () => {
    window.localStorage.setItem('gallery-archive', archive().id)
    await open({ [`GET ${PATH}`]: new Refusal(404, 'This archive does not exist.') })
    await waitFor(() => expect(window.localStorage.getItem('gallery-archive')).toBeNull())
    expect(screen.queryByText(/ZIP/)).toBeNull()
  })

  it('can be cancelled', async () => {
    const { user, sent } = await pack({
      [`GET ${PATH}`]: archive(),
      [`DELETE ${PATH}`]: () => new Response(null, { status: 204 }),
    })
    await user.click(await screen.findByRole('button', { name: 'Cancel the ZIP' }))
    await waitFor(() => expect(sent(`DELETE ${PATH}`)).toHaveLength(1))
    expect(screen.queryByText(/Packing/)).toBeNull()
    expect(saved).toEqual([])
  })

  it('says that it failed', async () => {
    await pack({ [`GET ${PATH}`]: archive({ status: 'failed', error: 'Lost.' }) })
    expect(await screen.findByText('The ZIP could not be created. Please try again.')).toBeVisible()
  })

  it('says why it cannot be begun', async () => {
    await pack({ 'POST /api/archives': new Refusal(429, 'Wait.', undefined, 'too_many_archives') })
    expect(await screen.findByText(/Two ZIP files are already being prepared/)).toBeVisible()
  })
})

describe('the arrow keys', () => {
  it('lead from cover to cover, past what is over them, and the Tab key comes to one only', async () => {
    const { user, picture } = await open()
    const [first, second] = [await picture('The Salt Year'), await picture('Low Orbit')]
    expect(first).toHaveAttribute('tabindex', '0')
    expect(second).toHaveAttribute('tabindex', '-1')
    first.focus()
    await user.keyboard('{ArrowRight}')
    expect(second).toHaveFocus()
    expect([first.tabIndex, second.tabIndex]).toEqual([-1, 0])
    await user.keyboard('{End}')
    expect(await picture('Paper Cities')).toHaveFocus()
    await user.keyboard('{ArrowRight}{ArrowLeft}')
    expect(await picture('Hinterland')).toHaveFocus()
    await user.keyboard('{Home}{Enter}')
    expect(await screen.findByRole('dialog', { name: 'The Salt Year' })).toBeVisible()
  })

  it('have company: a full stop gives the star, Delete throws away', async () => {
    const { user, picture, sent } = await open({
      'PATCH /api/covers/1': cover(1, { starred: true }),
      'DELETE /api/covers/1': () => new Response(null, { status: 204 }),
    })
    ;(await picture('The Salt Year')).focus()
    await user.keyboard('.')
    await waitFor(() => expect(sent('PATCH /api/covers/1').map(({ body }) => body)).toEqual([{ starred: true }]))
    await user.keyboard('{Delete}')
    expect(await screen.findByText('Cover deleted')).toBeVisible()
    expect(await picture('Low Orbit')).toHaveFocus()
  })
})
