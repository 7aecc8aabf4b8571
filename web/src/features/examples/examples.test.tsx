import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CarouselItem } from '@/api/generated'
import { fallbackCovers } from '@/lib/sample-covers'
import { promptDraft } from '@/lib/tab-draft'
import { Refusal, reader, renderApp } from '@/test/render-app'

const cover = (id: number, title: string, more: Partial<CarouselItem> = {}): CarouselItem => ({
  id,
  title,
  genre: 'Fantasy',
  description: '',
  imageUrl: `/api/carousel/${id}/image?v=1`,
  thumbnailUrl: `/api/carousel/${id}/image?v=1&size=320`,
  ...more,
})
const covers = [
  cover(1, 'Night Orchard'),
  cover(2, 'Low Orbit', { genre: 'Sci-Fi', description: 'A station above a red planet.' }),
  cover(3, 'Quiet Engines', { genre: 'Sci-Fi' }),
]
const shown = { 'GET /api/carousel': covers }

afterEach(() => vi.unstubAllGlobals())

describe('the page of examples', () => {
  it('shows every cover, which leads to its page', async () => {
    renderApp('/examples', shown)
    expect(await screen.findByRole('heading', { level: 1, name: 'Book cover examples' })).toBeVisible()
    expect(screen.getByText(/What covers made with Coverwright look like/)).toBeVisible()
    const links = screen.getAllByRole('link').filter((link) => link.getAttribute('href')?.startsWith('/examples/'))
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/examples/1', '/examples/2', '/examples/3'])
    expect(screen.getByRole('img', { name: 'Cover of Night Orchard' })).toHaveAttribute('src', covers[0]?.thumbnailUrl)
    expect(screen.getByRole('img', { name: 'A station above a red planet.' })).toBeVisible()
    await waitFor(() => expect(document.title).toBe('Book cover examples · Coverwright'))
  })

  it('shows our own samples until an administrator has chosen a cover', async () => {
    renderApp('/examples')
    expect(await screen.findByText(fallbackCovers[0]?.title ?? '', { selector: 'bdi' })).toBeVisible()
    expect(
      screen.queryAllByRole('link').filter((link) => /examples\/\d/.test(link.getAttribute('href') ?? '')),
    ).toEqual([])
    expect(screen.getByRole('link', { name: 'Describe your own cover' })).toHaveAttribute('href', '/api/login')
  })

  it('can be loaded again when that failed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let up = false
    renderApp('/examples', { 'GET /api/carousel': () => (up ? covers : new Refusal(503, 'Away.')) })
    const again = await screen.findByRole('button', { name: 'Try again' })
    up = true
    await userEvent.click(again)
    expect(await screen.findByText('Night Orchard')).toBeVisible()
  })
})

describe('the page of an example', () => {
  it('says what it shows, and has others below, first those of its genre', async () => {
    renderApp('/examples/2', shown)
    expect(await screen.findByRole('heading', { level: 1, name: 'Low Orbit' })).toBeVisible()
    expect(screen.getByText('A station above a red planet.')).toBeVisible()
    expect(screen.getByRole('img', { name: 'A station above a red planet.' })).toHaveAttribute(
      'src',
      covers[1]?.imageUrl,
    )
    const others = within(screen.getByRole('article')).getAllByRole('listitem')
    expect(others.map((one) => one.textContent)).toEqual(['Quiet EnginesSci-Fi', 'Night OrchardFantasy'])
    expect(screen.getByRole('link', { name: 'All examples' })).toHaveAttribute('href', '/examples')
    await waitFor(() => expect(document.title).toBe('Cover of Low Orbit · Coverwright'))
    await userEvent.click(screen.getByRole('link', { name: /Quiet Engines/ }))
    await waitFor(() => expect(document.title).toBe('Cover of Quiet Engines · Coverwright'))
  })

  it('hands its description and genre to the generator, through sign-in', async () => {
    renderApp('/examples/2', shown)
    const link = await screen.findByRole('link', { name: 'Make one like this' })
    expect(link).toHaveAttribute('href', '/api/login')
    link.addEventListener('click', (event) => event.preventDefault())
    await userEvent.click(link)
    expect(promptDraft.read()).toEqual({ prompt: 'A station above a red planet.', genre: 'Sci-Fi' })
  })

  it('leads straight to the generator who is signed in', async () => {
    renderApp('/examples/2', { ...shown, 'GET /api/auth/user': reader, 'GET /api/covers': [], 'GET /api/themes': [] })
    await userEvent.click(await screen.findByRole('link', { name: 'Make one like this' }))
    expect(await screen.findByDisplayValue('A station above a red planet.')).toBeVisible()
  })

  it.each(['/examples/9', '/examples/x', '/examples/0'])('is none at %s', async (path) => {
    renderApp(path, shown)
    expect(await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible()
  })
})
