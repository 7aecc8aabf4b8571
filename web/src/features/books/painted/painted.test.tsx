import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { CoverExtensions, EditionOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { status } from '@/test/status'
import { dismissToast } from '@/ui/overlay/toast-store'
import { book, ebook, forms, paperback, printers, sheet } from '../test-book'

afterEach(() => act(dismissToast))

const extensions = (change: Partial<CoverExtensions> = {}): CoverExtensions => ({
  version: 2,
  extensions: [],
  running: [],
  offer: { service: 'Lantern Press', expectedMs: 3_000 },
  ...change,
})
const painted: EditionOut = { ...paperback, background: 'painted' }
const isCurrent = (current: boolean) => [
  { side: 'left' as const, isCurrent: current, createdAt: '2026-11-02T10:00:00Z' },
]

function open(known: () => CoverExtensions, answers: Record<string, unknown> = {}, edition = painted) {
  return renderApp('/book/5', {
    'GET /api/auth/user': reader,
    'GET /api/trade': printers,
    'GET /api/books/forms': forms,
    'GET /api/spine': sheet,
    'GET /api/books/5': book({ editions: [ebook, edition] }),
    [`GET /api/covers/${book().cover?.id}/extensions`]: known,
    ...answers,
  })
}
const EXTEND = `POST /api/covers/${book().cover?.id}/extensions`

describe('spine and back', () => {
  it('are painted when asked, with progress, and then drawn anew', async () => {
    const user = userEvent.setup()
    let now = extensions()
    let stands = status()
    const { requests } = open(() => now, {
      'GET /api/generation-status/g-9': () => stands,
      [EXTEND]: () => {
        now = extensions({ running: [{ id: 'g-9', side: 'left', status: 'processing' }] })
        return { generationId: 'g-9', generationIds: ['g-9'] }
      },
    })
    expect(await screen.findByText(/Nothing is painted yet/)).toBeVisible()
    expect(screen.getByText('Lantern Press will make it. Counts as one cover of your plan.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Paint spine and back' }))
    await waitFor(() =>
      expect(requests.find(({ call }) => call === EXTEND)?.body).toEqual({ side: 'left', version: 2 }),
    )
    expect(await screen.findByRole('button', { name: 'Cancel: Spine and back' })).toBeVisible()
    const drawn = () => requests.filter(({ call }) => call.endsWith('/editions/kdp-paperback/preview')).length
    const before = drawn()
    now = extensions({ extensions: isCurrent(true) })
    stands = status({ status: 'completed' })
    expect(await screen.findByText('Spine and back are painted')).toBeVisible()
    expect(await screen.findByText(/show how the picture goes on/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Paint them anew' })).toBeVisible()
    await waitFor(() => expect(drawn()).toBeGreaterThan(before))
  })

  it('say that the front has another picture since, and why nothing was begun', async () => {
    const user = userEvent.setup()
    open(() => extensions({ extensions: isCurrent(false) }), {
      [EXTEND]: new Refusal(403, 'Limit.', undefined, 'generation_limit_reached'),
    })
    expect(await screen.findByText(/The front has another picture by now/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Paint spine and back' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('You have used all covers of this month.')
  })

  it('offer it only where an image service can', async () => {
    open(() => extensions({ offer: { service: null, expectedMs: null } }), {}, paperback)
    const choice = await screen.findByRole('combobox', { name: 'Spine and back' })
    await waitFor(() => expect(within(choice).queryByRole('option', { name: /Painted/ })).toBeNull())
    expect(within(choice).getAllByRole('option')).toHaveLength(4)
  })

  it('keep the choice where no service can do it any more', async () => {
    open(() => extensions({ offer: { service: null, expectedMs: null } }))
    expect(await screen.findByText('No image service of this site can paint them at the moment.')).toBeVisible()
    expect(screen.getByRole('combobox', { name: 'Spine and back' })).toHaveValue('painted')
  })
})
