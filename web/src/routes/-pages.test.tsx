import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { promptDraft } from '@/lib/tab-draft'
import { Refusal, reader, renderApp } from '@/test/render-app'

let leave: MockInstance<(url: string | URL) => void>

beforeEach(() => {
  leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const landing = async () => expect(await screen.findByRole('heading', { level: 1, name: /waiting for/ })).toBeVisible()

describe('a visitor', () => {
  it('sees the landing page with a way in', async () => {
    renderApp('/')
    await landing()
    const header = screen.getByRole('banner')
    expect(within(header).getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/api/login')
    expect(screen.getByText('No credit card required')).toBeVisible()
    expect(screen.getByText('Your first generation is free')).toBeVisible()
  })

  it('sees it under every language prefix', async () => {
    renderApp('/fr/')
    await landing()
  })

  it('takes what was typed along to sign-in', async () => {
    const user = userEvent.setup()
    renderApp('/')
    await user.type(await screen.findByLabelText('Describe your book'), 'A lighthouse')
    await user.click(screen.getByLabelText('Mystery'))
    await user.click(screen.getByRole('button', { name: 'Generate my cover' }))
    expect(leave).toHaveBeenCalledWith('/api/login')
    expect(promptDraft.read()).toEqual({ prompt: 'A lighthouse', genre: 'Mystery' })
  })

  it('finds there what was typed before, also after signing in by another way', async () => {
    const user = userEvent.setup()
    renderApp('/')
    await user.type(await screen.findByLabelText('Describe your book'), 'A lighthouse')
    expect(promptDraft.read()).toEqual({ prompt: 'A lighthouse', genre: '' })
    cleanup()
    renderApp('/')
    expect(await screen.findByLabelText('Describe your book')).toHaveValue('A lighthouse')
    cleanup()
    renderApp('/', { 'GET /api/auth/user': reader, 'GET /api/covers': [] })
    expect(await screen.findByDisplayValue('A lighthouse')).toBeVisible()
    await waitFor(() => expect(promptDraft.read()).toBeUndefined())
  })

  it.each([
    ['the server is busy', new Refusal(503, 'Please wait.')],
    ['nothing can be asked', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('sees the landing page when %s, and is asked for once', async (_, answer) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { requests } = renderApp('/', { 'GET /api/auth/user': answer })
    await landing()
    expect(requests.filter(({ call }) => call === 'GET /api/auth/user')).toHaveLength(1)
  })

  it('can try again elsewhere when the server is away, and is asked for once each time', async () => {
    const user = userEvent.setup()
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let up = false
    const { requests } = renderApp('/account', { 'GET /api/auth/user': () => new Refusal(up ? 401 : 503, 'Away.') })
    const asked = () => requests.filter(({ call }) => call === 'GET /api/auth/user').length
    const again = await screen.findByRole('button', { name: 'Try again' })
    expect(asked()).toBe(1)
    up = true
    await user.click(again)
    expect((await screen.findAllByRole('link', { name: 'Sign in' }))[0]).toBeVisible()
    expect(asked()).toBe(2)
  })

  it('sees no numbers until an administrator entered some', async () => {
    renderApp('/')
    await landing()
    expect(screen.queryByText('authors')).toBeNull()
  })

  it('sees the numbers an administrator entered, and only those', async () => {
    renderApp('/', { 'GET /api/site-stats': { authors: '140', covers: null, rating: null } })
    expect(await screen.findByText('140')).toBeVisible()
    expect(screen.getByText('authors')).toBeVisible()
    expect(screen.queryByText('average rating')).toBeNull()
  })

  it('compares the plans at their configured price', async () => {
    renderApp('/', { 'GET /api/admin/selected-price': { amount: 2400, currency: 'eur', interval: 'year' } })
    expect(await screen.findByText('24 EUR/year')).toBeVisible()
    expect(screen.getByText('$0/month')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go Pro' })).toHaveAttribute('href', '/api/login?redirect=/subscribe')
    for (const line of [
      'All dimensions and formats',
      'Custom themes and styles',
      'Priority support',
      'High-resolution downloads',
      'Advanced customization',
    ])
      expect(screen.getByText(line)).toBeVisible()
  })

  it('sees $19/month when the price cannot be had', async () => {
    renderApp('/', { 'GET /api/admin/selected-price': new Refusal(503, 'Away.') })
    expect(await screen.findByText('$19/month')).toBeVisible()
  })

  it('sees five copies of the eight sample covers while the carousel is empty', async () => {
    renderApp('/')
    const row = await screen.findByRole('list', { name: 'Covers' })
    expect(within(row).getAllByRole('listitem', { hidden: true })).toHaveLength(40)
  })

  it('sees the covers an administrator put into the carousel', async () => {
    const cover = { id: 5, title: 'Saltmarsh', genre: 'Nature writing', imageUrl: '/c/5.webp' }
    renderApp('/', { 'GET /api/carousel': [cover] })
    expect((await screen.findAllByAltText('Cover of Saltmarsh'))[0]).toHaveAttribute('src', '/c/5.webp')
    expect(screen.getByText(/Nature writing/)).toBeVisible()
  })

  it('finds links, networks and copyright at the foot', async () => {
    renderApp('/', {
      'GET /api/public-links': {
        pages: ['terms', 'privacy', 'contact', 'help'],
        email: 'hello@example.org',
        api: 'https://docs.example.org',
        networks: [{ network: 'instagram', address: 'https://instagram.com/coverwright' }],
      },
    })
    const foot = within(await screen.findByRole('contentinfo'))
    expect(await foot.findByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/terms')
    for (const link of ['Features', 'Pricing', 'Gallery', 'API', 'Help', 'Contact', 'Privacy'])
      expect(foot.getByRole('link', { name: link })).toBeVisible()
    const instagram = foot.getByRole('link', { name: 'Coverwright on Instagram' })
    expect(instagram).toHaveAttribute('href', 'https://instagram.com/coverwright')
    expect(foot.getByText(/2025 Coverwright/)).toBeVisible()
  })

  it('is not led to what an administrator has not given', async () => {
    renderApp('/')
    const foot = within(await screen.findByRole('contentinfo'))
    expect(await foot.findByRole('link', { name: 'Help' })).toHaveAttribute('href', '/help')
    for (const link of ['API', 'Contact', 'Terms', 'Privacy', 'Coverwright on X'])
      expect(foot.queryByRole('link', { name: link })).toBeNull()
    expect(foot.queryByRole('navigation', { name: 'Legal' })).toBeNull()
  })

  it('is told at the gallery, and sent to sign-in half a second later', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    renderApp('/gallery')
    expect(await screen.findByText('Unauthorized')).toBeVisible()
    expect(screen.getByText('You are logged out. Logging in again...')).toBeVisible()
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 500)
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/api/login'))
  })

  it.each(['/nowhere', '/admin.php', '/ar/theme'])('gets the 404 page at %s', async (path) => {
    renderApp(path)
    expect(await screen.findByText('404 Page Not Found')).toBeVisible()
    expect(screen.getByText('Did you forget to add the page to the router?')).toBeVisible()
  })

  it('sees the operator’s name and logo everywhere', async () => {
    renderApp('/', {
      'GET /api/branding': { name: 'Inkhouse', logoUrl: '/b/logo.webp', faviconUrl: null, footerLogoUrl: null },
    })
    expect(await within(await screen.findByRole('banner')).findByAltText('Inkhouse')).toHaveAttribute(
      'src',
      '/b/logo.webp',
    )
    expect(await screen.findByText(/2025 Inkhouse/)).toBeVisible()
    await waitFor(() => expect(document.title).toContain('Inkhouse'))
  })

  it('is told while there is no connection', async () => {
    renderApp('/')
    await landing()
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(await screen.findByText(/You are offline/)).toBeVisible()
    online.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(screen.queryByText(/You are offline/)).toBeNull()
  })

  it('sees the operator’s icon on the tab', async () => {
    document.head.innerHTML = '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
    const branding = { name: 'Inkhouse', logoUrl: null, faviconUrl: '/b/icon.png', footerLogoUrl: null }
    renderApp('/', { 'GET /api/branding': branding })
    await waitFor(() => expect(document.querySelector('link[rel=icon]')).toHaveAttribute('href', '/b/icon.png'))
  })
})

describe('a signed-in reader', () => {
  const signedIn = { 'GET /api/auth/user': reader }

  it('sees the header with what is left, and a way out', async () => {
    renderApp('/', signedIn)
    const header = within(await screen.findByRole('banner'))
    expect((await header.findAllByText(/1 left/))[0]).toBeInTheDocument()
    expect(header.getByRole('link', { name: 'Sign out' })).toHaveAttribute('href', '/api/logout')
    expect(header.getByRole('link', { name: 'Generate' })).toHaveAttribute('href', '#generate')
    expect(header.queryByRole('link', { name: 'Admin' })).toBeNull()
  })

  it('has a quick-access bar that ends with the language', async () => {
    renderApp('/', signedIn)
    const bar = await screen.findByRole('navigation', { name: 'Quick access' })
    expect(bar.lastElementChild).toHaveTextContent('EN')
  })

  it('does not see the sign-in page again', async () => {
    const { router } = renderApp('/sign-in?redirect=/gallery', signedIn)
    await waitFor(() => expect(router.state.location.pathname).toBe('/gallery'))
  })

  it('changes the language of the interface, keeps the choice and tells the server', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...signedIn, 'POST /api/set-language': null })
    const header = within(await screen.findByRole('banner'))
    await user.click(await header.findByRole('button', { name: 'Language: English' }))
    const items = await screen.findAllByRole('menuitemradio')
    expect(items).toHaveLength(12)
    expect(items.filter((item) => item.getAttribute('aria-checked') === 'true')).toEqual([items[0]])
    await user.click(screen.getByRole('menuitemradio', { name: 'English' }))
    await waitFor(() => expect(requests).toContainEqual({ call: 'POST /api/set-language', body: { language: 'en' } }))
    expect(localStorage.getItem('preferred-language')).toBe('en')
  })
})
