import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { capabilities } from '@/test/capabilities'
import { Refusal } from '@/test/render-app'
import { daysLeft } from './components/bin-view'
import { validateGallerySearch } from './cover-filter'
import { cover, inGallery, nothingLeaves, openGallery, some, theme, titlesShown } from './test-gallery'

beforeEach(() => void nothingLeaves())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const DAY = 86_400_000
const thrown = (id: number, days: number) =>
  cover(id, { deletedAt: new Date(Date.now() - days * DAY - 1000).toISOString() })

/** A server with a gallery and a bin. */
function shelves(inBin: ReturnType<typeof cover>[]) {
  let bin = inBin
  const back = (id: number) => {
    bin = bin.filter((one) => one.id !== id)
    return cover(id)
  }
  return {
    'GET /api/covers': (_: unknown, { searchParams }: URL) => (searchParams.get('bin') ? bin : [cover(1)]),
    'POST /api/covers/2/restore': () => back(2),
    'DELETE /api/covers/2/forever': () => back(2) && new Response(null, { status: 204 }),
    'DELETE /api/covers/bin': () => {
      bin = []
      return new Response(null, { status: 204 })
    },
  }
}

describe('the bin', () => {
  it('shows what was thrown away and how long it stays', async () => {
    const user = userEvent.setup()
    const { picture, router } = openGallery(shelves([thrown(2, 0), thrown(3, 29)]))
    await picture('The Salt Year')
    await user.click(screen.getByRole('button', { name: 'Recently deleted' }))
    expect(await screen.findByRole('heading', { name: 'Recently deleted' })).toBeVisible()
    const gallery = screen.getByRole('region', { name: 'Recently deleted' })
    const [first, second] = await within(gallery).findAllByRole('listitem')
    expect(first).toHaveTextContent('Low Orbit30 days left')
    expect(second).toHaveTextContent('Kiln1 day left')
    expect(router.state.location.search).toEqual({ bin: true })
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Recently deleted' })).toHaveFocus())
    await user.click(screen.getByRole('button', { name: 'Back to your covers' }))
    expect(await picture('The Salt Year')).toBeVisible()
  })

  it('gives a cover back', async () => {
    const user = userEvent.setup()
    const { sent } = openGallery(shelves([thrown(2, 0)]), '/gallery?bin=true')
    await user.click(await screen.findByRole('button', { name: 'Restore Low Orbit' }))
    expect(await screen.findByText('No deleted covers')).toBeVisible()
    expect(sent('POST /api/covers/2/restore')).toHaveLength(1)
  })

  it('lets a cover go for good only after asking', async () => {
    const user = userEvent.setup()
    const { sent } = openGallery(shelves([thrown(2, 0)]), '/gallery?bin=true')
    await user.click(await screen.findByRole('button', { name: 'Delete Low Orbit for good' }))
    const question = await screen.findByRole('dialog', { name: 'Delete this cover for good?' })
    expect(question).toHaveTextContent('“Low Orbit” cannot be brought back after that.')
    expect(sent('DELETE /api/covers/2/forever')).toEqual([])
    await user.click(within(question).getByRole('button', { name: 'Delete for good' }))
    expect(await screen.findByText('Deleted for good')).toBeVisible()
    expect(await screen.findByText('No deleted covers')).toBeVisible()
  })

  it('is emptied as a whole only after asking', async () => {
    const user = userEvent.setup()
    const { sent } = openGallery(shelves([thrown(2, 0), thrown(3, 1)]), '/gallery?bin=true')
    await user.click(await screen.findByRole('button', { name: 'Delete all for good' }))
    const question = await screen.findByRole('dialog', { name: 'Delete everything here for good?' })
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(sent('DELETE /api/covers/bin')).toEqual([])
    const opener = screen.getByRole('button', { name: 'Delete all for good' })
    await waitFor(() => expect(opener).toHaveFocus())
    await user.click(opener)
    const again = await screen.findByRole('dialog')
    await user.click(within(again).getByRole('button', { name: 'Delete all for good' }))
    expect(await screen.findByText('No deleted covers')).toBeVisible()
  })

  it('says when a cover could not be removed', async () => {
    const user = userEvent.setup()
    const refused = { 'DELETE /api/covers/2/forever': new Refusal(503, 'Not now.') }
    openGallery({ ...shelves([thrown(2, 0)]), ...refused }, '/gallery?bin=true')
    await user.click(await screen.findByRole('button', { name: 'Delete Low Orbit for good' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete for good' }))
    expect(await screen.findByText('Failed to delete for good. Please try again.')).toBeVisible()
  })

  it.each([
    [30, 0, 30],
    [30, 1, 29],
    [30, 29.5, 1],
    [30, 40, 1],
    [7, 1, 6],
  ])('that keeps for %d days leaves after %d days %i', (kept, days, left) => {
    expect(daysLeft(kept, new Date(0).toISOString(), days * DAY)).toBe(left)
  })

  it('keeps covers as long as the server says', async () => {
    const user = userEvent.setup()
    const week = { 'GET /api/capabilities': { ...capabilities(), binDays: 7 } }
    const { picture } = openGallery({ ...shelves([thrown(2, 0)]), ...week })
    await picture('The Salt Year')
    await user.click(screen.getByRole('button', { name: 'Recently deleted' }))
    expect(await screen.findByText('7 days left')).toBeVisible()
    expect(screen.getByText('Covers stay here for 7 days. After that they are gone for good.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Restore Low Orbit' }))
    expect(await screen.findByText(/are kept here for 7 days/)).toBeVisible()
  })

  it('says nothing of days when it does not know', async () => {
    const silent = { 'GET /api/capabilities': new Refusal(503, 'Not now.') }
    openGallery({ ...shelves([thrown(2, 0)]), ...silent }, '/gallery?bin=true')
    expect(await screen.findByRole('button', { name: 'Restore Low Orbit' })).toBeVisible()
    expect(screen.queryByText(/days/)).not.toBeInTheDocument()
  })
})

describe('what the gallery shows', () => {
  it('is in the address, and the way back leads through it', async () => {
    const user = userEvent.setup()
    const { picture, router } = openGallery({
      'GET /api/themes': [theme(7, 'Harbour')],
      'GET /api/covers': (_: unknown, { searchParams }: URL) =>
        searchParams.get('theme') === '7' ? [cover(3, { themeId: 7 })] : some(5),
    })
    await picture('Paper Cities')
    await user.selectOptions(await inGallery().findByRole('combobox', { name: 'Theme' }), 'Harbour')
    await waitFor(() => expect(titlesShown()).toEqual(['Kiln by Ines Okafor']))
    expect(router.state.location.search).toEqual({ theme: 7 })
    router.history.back()
    await waitFor(() => expect(titlesShown()).toHaveLength(5))
    expect(inGallery().getByRole('combobox', { name: 'Theme' })).toHaveValue('')
  })

  it('is asked for as a link says', async () => {
    const asked: string[] = []
    const { picture } = openGallery(
      {
        'GET /api/covers': (_: unknown, { search }: URL) => {
          asked.push(search)
          return [cover(1, { starred: true })]
        },
      },
      '/gallery?search=salt&starred=true&theme=0&sort=title',
    )
    await picture('The Salt Year')
    expect(Object.fromEntries(new URLSearchParams(asked[0]))).toEqual({
      sort: 'title',
      limit: '24',
      search: 'salt',
      starred: 'true',
      theme: '0',
    })
    expect(screen.getByRole('searchbox', { name: 'Search covers' })).toHaveValue('salt')
    expect(screen.getByRole('combobox', { name: 'Order' })).toHaveDisplayValue('By title')
    expect(inGallery().getByRole('combobox', { name: 'Theme' })).toHaveDisplayValue('Without a theme')
  })

  it.each([
    [{ search: 'a', starred: true, theme: 3, sort: 'title', bin: true }, null],
    [{ search: 12 }, { search: '12' }],
    [{ search: ' ', starred: 'yes', theme: -1, sort: 'newest', bin: 0, other: 1 }, {}],
    [{ theme: 1.5, sort: 'price' }, {}],
    [{ search: 'x'.repeat(200) }, { search: 'x'.repeat(100) }],
  ])('is read from %j', (search, read) => {
    expect(validateGallerySearch(search)).toEqual(read ?? search)
  })
})
