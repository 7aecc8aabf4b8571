import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reader, renderApp } from '@/test/render-app'
import { freshBrowser, signedIn, stream } from '../../test-screen'
import { cover } from '../../test-status'

const names: string[] = []

beforeEach(() => {
  freshBrowser()
  names.length = 0
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it.each([
  ['png', { formats: ['png', 'jpeg'], longestPx: 1600 }, 'Standard quality, 1,067 × 1,600 px', /^book-cover-\d+\.png$/],
  ['jpeg', { formats: ['jpeg'], longestPx: 1600 }, 'Standard quality, 1,067 × 1,600 px', /^book-cover-\d+\.jpg$/],
  [
    'png',
    { formats: ['png', 'jpeg', 'webp'], longestPx: null },
    'Full size, 1,800 × 2,700 px',
    /^book-cover-\d+\.png$/,
  ],
])('a new cover is downloaded as %s under %o, which it says', async (format, downloads, words, name) => {
  const user = userEvent.setup()
  localStorage.setItem('generation', 'g-1')
  const asked: (string | null)[] = []
  renderApp('/', {
    ...signedIn,
    'GET /api/auth/user': { ...reader, downloads },
    [`GET /api/covers/${cover.id}/download`]: (_: unknown, { searchParams }: URL) => {
      asked.push(searchParams.get('format'))
      return new Response('picture')
    },
  })
  const events = await stream()
  act(() => events.tell({ status: 'completed', phase: 'done', result: { ...cover, width: 1800, height: 2700 } }))
  const actions = within(await screen.findByRole('toolbar', { name: 'Your new cover' }))
  const download = actions.getByRole('button', { name: 'Download' })
  await user.click(download)
  await waitFor(() => expect(names).toEqual([expect.stringMatching(name)]))
  expect(asked).toEqual([format])
  await user.unhover(download)
  await user.tab({ shift: true })
  await user.tab()
  expect(await screen.findByRole('tooltip', { name: words })).toBeInTheDocument()
})
