import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { scaledSize } from '@/api/queries/download-options'
import { reader } from '@/test/render-app'
import { cover, nothingLeaves, openGallery } from './test-gallery'

type BoundMenu = { getAllByRole: (role: string) => HTMLElement[] }

let saved: ReturnType<typeof nothingLeaves>

beforeEach(() => {
  saved = nothingLeaves()
})
afterEach(() => vi.restoreAllMocks())

const pro = { ...reader, isPro: true, downloads: { formats: ['png', 'jpeg', 'webp'], longestPx: null } }

/** The menu of kinds of file of the only cover; `who` is read at each request for the signed-in user. */
async function openMenu(who: () => object, covers = [cover(1)], answers: Record<string, unknown> = {}) {
  const user = userEvent.setup()
  const opened = openGallery({ 'GET /api/auth/user': who, 'GET /api/covers': covers, ...answers })
  await opened.picture('The Salt Year')
  const open = async () => {
    const actions = within(screen.getByRole('toolbar', { name: 'Actions for The Salt Year' }))
    await user.click(actions.getByRole('button', { name: 'Download' }))
    return within(await screen.findByRole('menu'))
  }
  return { ...opened, user, open, menu: await open() }
}

const items = (menu: BoundMenu) => menu.getAllByRole('menuitem').map((item) => item.textContent)

describe('the kinds of file', () => {
  it('come in standard quality on the free plan, and the rest leads to Pro', async () => {
    const { menu, user, router, sent } = await openMenu(() => reader)
    expect(menu.getByText('Standard quality, 1,067 × 1,600 px')).toBeVisible()
    expect(items(menu)).toEqual([
      'PNG, for screens',
      'JPEG, a smaller file',
      'WebP, for the web Pro',
      'Full size: trim size without bleed Pro',
    ])
    expect(menu.getByRole('menuitem', { name: 'Full size: trim size without bleed Pro' })).toHaveAttribute(
      'href',
      '/subscribe',
    )
    await user.click(menu.getByRole('menuitem', { name: 'WebP, for the web Pro' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/subscribe'))
    expect(sent('GET /api/covers/1/download')).toEqual([])
  })

  it('come all of them at full size on Pro', async () => {
    const { menu, user } = await openMenu(() => pro, [cover(1)], {
      'GET /api/covers/1/download': () => new Response('picture'),
    })
    expect(menu.getByText('Full size, 1,800 × 2,700 px')).toBeVisible()
    expect(items(menu)).toEqual(['PNG, trim size without bleed', 'JPEG, a smaller file', 'WebP, for the web'])
    await user.click(menu.getByRole('menuitem', { name: 'WebP, for the web' }))
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['the_salt_year.webp']))
  })

  it('follow the plan at once', async () => {
    let who: object = reader
    const { open, user, router } = await openMenu(() => who)
    await user.keyboard('{Escape}')
    who = pro
    await router.options.context.queryClient.invalidateQueries()
    expect((await open()).getByText('Full size, 1,800 × 2,700 px')).toBeVisible()
  })

  it('are as large as the cover when that is small enough', async () => {
    const { menu } = await openMenu(() => reader, [cover(1, { width: 1000, height: 1500 })])
    expect(menu.getByText('Full size, 1,000 × 1,500 px')).toBeVisible()
    expect(items(menu)).toEqual(['PNG, trim size without bleed', 'JPEG, a smaller file', 'WebP, for the web Pro'])
  })

  it.each([
    ['the free plan', reader, 'Standard quality, 1,600 px at most', 4],
    ['Pro', pro, 'Full size', 3],
  ])('say how large several covers are on %s', async (_, who, words, count) => {
    const user = userEvent.setup()
    const { picture } = openGallery({ 'GET /api/auth/user': who, 'GET /api/covers': [cover(1), cover(2)] })
    await picture('The Salt Year')
    await user.click(screen.getByRole('button', { name: 'Select' }))
    for (const name of ['Select The Salt Year', 'Select Low Orbit'])
      await user.click(screen.getByRole('checkbox', { name }))
    await user.click(screen.getByRole('button', { name: 'Download as ZIP' }))
    const menu = within(await screen.findByRole('menu'))
    expect(menu.getByText(words)).toBeVisible()
    expect(items(menu)).toHaveLength(count)
  })
})

it.each([
  [1600, 1800, 2700, 1067, 1600],
  [1600, 2550, 3300, 1236, 1600],
  [1600, 2400, 2400, 1600, 1600],
  [1600, 1024, 1792, 914, 1600],
  [1600, 1200, 800, 1200, 800],
  [null, 1800, 2700, 1800, 2700],
])('a longest edge of %s makes %s × %s into %s × %s', (longest, width, height, ...size) =>
  expect(scaledSize(longest, { width, height })).toEqual({ width: size[0], height: size[1] }),
)
