import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CoverPictures, PictureVersion } from '@/api/generated'
import { cover } from '@/test/cover'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { status } from '@/test/status'
import { dismissToast } from '@/ui/overlay/toast-store'
import { drawnOn, isMarked, type Mark, strokePath, toggled } from './model/region'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const picture = (number: number, asked: string | null, isShown = false): PictureVersion => ({
  number,
  asked,
  createdAt: '2026-11-02T10:00:00Z',
  isShown,
  previewUrl: `/v/${number}-960.webp`,
  thumbnailUrl: `/v/${number}-320.webp`,
  width: 1800,
  height: 2700,
  tint: '#224466',
  placeholder: null,
})
const pictures = (change: Partial<CoverPictures> = {}): CoverPictures => ({
  cover,
  version: 1,
  pictures: [picture(1, null, true)],
  artworkUrl: '/api/covers/7/artwork?size=960&v=1',
  artworkWidth: 640,
  artworkHeight: 960,
  words: 'kept',
  running: [],
  offer: { service: 'Lantern Press', maskService: 'Lantern Press', expectedMs: 3_000 },
  ...change,
})

function open(shown: () => CoverPictures, answers: Record<string, unknown> = {}) {
  return renderApp('/cover/7/refine', {
    'GET /api/auth/user': { ...reader, emailVerified: true, hasPassword: true },
    'GET /api/covers': [],
    'GET /api/themes': [],
    'GET /api/generations': [],
    'GET /api/covers/7/versions': shown,
    'POST /api/covers/7/refine': { generationId: 'g-1', generationIds: ['g-1'] },
    ...answers,
  })
}

const change = () => screen.findByRole('textbox', { name: 'What should change?' })
const submit = () => screen.getByRole('button', { name: 'Refine the picture' })
const asked = (requests: { call: string; body: unknown }[]) =>
  requests.filter(({ call }) => call === 'POST /api/covers/7/refine').map(({ body }) => body)

describe('refining a picture', () => {
  it('is asked for in words, followed, and shown when it is there', async () => {
    const user = userEvent.setup()
    let shown = pictures()
    let state = status({})
    const { requests } = open(() => shown, {
      'POST /api/covers/7/refine': () => {
        shown = pictures({ running: [{ id: 'g-1', asked: 'Make it darker', status: 'processing' }] })
        return { generationId: 'g-1', generationIds: ['g-1'] }
      },
      'GET /api/generation-status/g-1': () => state,
    })
    await user.click(await screen.findByRole('button', { name: 'Make it darker' }))
    expect(await change()).toHaveValue('Make it darker')
    await user.click(submit())
    const running = await screen.findByRole('list', { name: 'Pictures being made' })
    expect(within(running).getByText('Make it darker')).toBeVisible()
    expect(asked(requests)).toEqual([{ change: 'Make it darker', version: 1, mask: null }])
    expect(await change()).toHaveValue('')
    state = status({ status: 'completed' })
    shown = pictures({ version: 2, pictures: [picture(1, null), picture(2, 'Make it darker', true)] })
    expect(await screen.findByText('The picture is refined')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Pictures being made' })).toBeNull())
    expect(screen.getAllByRole('button', { name: 'Show again: The first picture' }).length).toBeGreaterThan(0)
  })

  it('needs words, and a mark where only a part is to change', async () => {
    const user = userEvent.setup()
    const { requests } = open(() => pictures())
    await user.click(await screen.findByRole('radio', { name: 'Only a part' }))
    await user.click(submit())
    expect(await change()).toHaveAccessibleDescription('Please say what should change.')
    expect(await change()).toHaveFocus()
    expect(screen.getByText('Please mark what may change.')).toBeVisible()
    expect(asked(requests)).toEqual([])
  })

  it('sends a mask of the fields that were chosen with the keyboard', async () => {
    const drawn: string[] = []
    const context = { fillRect: (...box: number[]) => drawn.push(box.map(Math.round).join(' ')), stroke: () => {} }
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
    vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/png;base64,AAAA')
    const user = userEvent.setup()
    const { requests } = open(() => pictures())
    await user.type(await change(), 'A full moon')
    await user.click(screen.getByRole('radio', { name: 'Only a part' }))
    const field = screen.getByRole('button', { name: 'Top right' })
    field.focus()
    await user.keyboard('{Enter}')
    expect(field).toHaveAttribute('aria-pressed', 'true')
    await user.click(screen.getByRole('button', { name: 'Middle' }))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(screen.getByRole('button', { name: 'Middle' })).toHaveAttribute('aria-pressed', 'false')
    await user.click(submit())
    await waitFor(() => expect(asked(requests)).toHaveLength(1))
    expect(asked(requests)[0]).toMatchObject({ mask: 'data:image/png;base64,AAAA' })
    expect(drawn).toEqual(['0 0 683 1025', '455 0 228 342'])
  })

  it('marks what the pointer paints over, and forgets it again', async () => {
    const user = userEvent.setup()
    open(() => pictures())
    await user.click(await screen.findByRole('radio', { name: 'Only a part' }))
    const picture = document.querySelector('[data-region]') as SVGSVGElement
    fireEvent.pointerDown(picture, { pointerId: 1, button: 0 })
    fireEvent.pointerMove(picture, { pointerId: 1 })
    fireEvent.pointerMove(picture, { pointerId: 2 })
    fireEvent.pointerUp(picture, { pointerId: 1 })
    fireEvent.pointerMove(picture, { pointerId: 1 })
    expect(picture.querySelectorAll('path')).toHaveLength(1)
    expect(picture.querySelector('path')?.getAttribute('d')?.match(/[ML]/g)).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(picture.querySelectorAll('path')).toHaveLength(0)
  })

  it('says what becomes of the words, and why it cannot be done', async () => {
    open(() => pictures({ words: 'drawn', offer: { service: 'Lantern Press', maskService: null, expectedMs: 1 } }))
    expect(await screen.findByText(/words are part of this picture/)).toBeVisible()
    expect(screen.queryByRole('radio', { name: 'Only a part' })).toBeNull()
    expect(screen.getByText(/changes only a part of a picture/)).toBeVisible()
  })

  it('is not offered where no service takes pictures', async () => {
    open(() => pictures({ offer: { service: null, maskService: null, expectedMs: null } }))
    expect(await screen.findByText('This picture cannot be refined just now')).toBeVisible()
    expect(screen.getByText(/An administrator can add one/)).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('that another tab was faster with is explained, and what was typed stays', async () => {
    const user = userEvent.setup()
    open(() => pictures(), {
      'POST /api/covers/7/refine': new Refusal(409, 'Changed elsewhere.', undefined, 'version_conflict'),
    })
    await user.type(await change(), 'Winter')
    await user.click(submit())
    expect(await screen.findByText(/was changed elsewhere/)).toBeVisible()
    expect(await change()).toHaveValue('Winter')
  })

  it('brings an earlier picture back', async () => {
    const user = userEvent.setup()
    let shown = pictures({ version: 2, pictures: [picture(1, null), picture(2, 'Darker', true)] })
    const { requests } = open(() => shown, {
      'POST /api/covers/7/lettering/versions/1/restore': () => {
        shown = pictures({ version: 3, pictures: [picture(3, null, true), picture(2, 'Darker')] })
        return {}
      },
    })
    const [back] = await screen.findAllByRole('button', { name: 'Show again: The first picture' })
    await user.click(back as HTMLElement)
    expect(await screen.findByText('The earlier picture is shown again')).toBeVisible()
    expect(requests).toContainEqual({
      call: 'POST /api/covers/7/lettering/versions/1/restore',
      body: { version: 2 },
    })
    expect((await screen.findAllByRole('button', { name: 'Show again: Darker' })).length).toBeGreaterThan(0)
  })
})

describe('a region', () => {
  it('has each field once', () => {
    const marks = toggled(toggled([], 2), 4)
    expect(isMarked(marks, 2)).toBe(true)
    expect(isMarked(toggled(marks, 2), 2)).toBe(false)
  })

  it('goes on with the last stroke only, and draws a dot for one that never moved', () => {
    const marks: Mark[] = [{ kind: 'stroke', width: 0.1, points: [{ x: 0.5, y: 0.5 }] }]
    expect(strokePath([{ x: 0.5, y: 0.5 }], 100, 200)).toBe('M50.0 100.0L50.0 100.0')
    expect(drawnOn(marks, { x: 1, y: 1 })[0]).toMatchObject({ points: [{ x: 0.5 }, { x: 1 }] })
    expect(drawnOn(toggled(marks, 3), { x: 1, y: 1 })).toEqual(toggled(marks, 3))
  })
})
