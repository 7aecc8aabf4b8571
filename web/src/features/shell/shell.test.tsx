import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { reader, renderApp } from '@/test/render-app'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const limits = { proUnlimited: false, proMonthlyLimit: 40, freeMonthlyLimit: 3 }
const signedIn = { 'GET /api/auth/user': reader, 'GET /api/covers': [], 'GET /api/themes': [] }
const administrator = { ...signedIn, 'GET /api/auth/user': { ...reader, isAdmin: true } }
const header = async () => within(await screen.findByRole('banner'))
const bar = () => screen.findByRole('navigation', { name: 'Quick access' })

describe('the header', () => {
  it('shows mark and name while there is no logo', async () => {
    renderApp('/')
    const home = await (await header()).findByRole('link', { name: 'Coverwright' })
    expect(home.querySelector('svg')).toBeInTheDocument()
    expect(home.querySelector('img')).toBeNull()
  })

  it.each([
    ['a free reader', {}, '2 left this month'],
    ['a Pro reader', { isPro: true }, '39 left this month'],
  ])('shows %s how many generations are left', async (_, facts, words) => {
    const user = { ...reader, generationsThisMonth: 1, ...facts }
    renderApp('/', { ...signedIn, 'GET /api/auth/user': user, 'GET /api/plan-limits': limits })
    expect(await (await header()).findByText(words)).toBeInTheDocument()
  })

  it('leads to every section of the home screen, to the account and out', async () => {
    renderApp('/', signedIn)
    const links = await header()
    const main = within(await links.findByRole('navigation', { name: 'Main' }))
    expect(main.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '#generate',
      '#gallery',
      '#themes',
      '#pricing',
      '/books',
    ])
    expect(links.getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account')
    expect(links.getByRole('link', { name: 'Sign out' })).toHaveAttribute('href', '/api/logout')
  })

  it('offers the language as flag and name, and the twelve of them with a check on the current one', async () => {
    const user = userEvent.setup()
    renderApp('/')
    const picker = await (await header()).findByRole('button', { name: 'Language: English' })
    expect(picker.querySelector('[data-flag=gb]')).toBeInTheDocument()
    expect(picker).toHaveTextContent('English')
    await user.click(picker)
    expectTheTwelve(await screen.findAllByRole('menuitemradio'))
  })
})

describe('the bar at the foot', () => {
  it('has five columns for a reader, the language last', async () => {
    renderApp('/', signedIn)
    const columns = [...(await bar()).children]
    expect(columns.map((column) => column.getAttribute('href'))).toEqual([
      '#generate',
      '#gallery',
      '#themes',
      '/account',
      null,
    ])
    expect(columns.at(-1)).toHaveAccessibleName('EN Language: English')
  })

  it('has six columns for an administrator', async () => {
    renderApp('/', administrator)
    const columns = [...(await bar()).children]
    expect(columns).toHaveLength(6)
    expect(columns[4]).toHaveAttribute('href', '/admin')
  })

  it('offers the language by its code in capitals, and the twelve of them with a check on the current one', async () => {
    const user = userEvent.setup()
    renderApp('/', signedIn)
    // what is seen is what a voice can call it
    const picker = within(await bar()).getByRole('button', { name: /^EN Language/ })
    expect(picker).toHaveTextContent(/^ENLanguage/)
    await user.click(picker)
    expectTheTwelve(await screen.findAllByRole('menuitemradio'))
  })
})

function expectTheTwelve(items: HTMLElement[]): void {
  const shown = items.map((item) => [
    item.lang,
    item.textContent,
    item.querySelector('[data-flag]')?.getAttribute('data-flag'),
  ])
  expect(shown).toEqual([
    ['en', 'English', 'gb'],
    ['es', 'Español', 'es'],
    ['fr', 'Français', 'fr'],
    ['de', 'Deutsch', 'de'],
    ['ja', '日本語', 'jp'],
    ['zh', '中文', 'cn'],
    ['it', 'Italiano', 'it'],
    ['pt', 'Português (Brasil)', 'br'],
    ['ru', 'Русский', 'ru'],
    ['ko', '한국어', 'kr'],
    ['ar', 'العربية', 'ae'],
    ['hi', 'हिन्दी', 'in'],
  ])
  expect(items.map((item) => item.getAttribute('aria-checked'))).toEqual(['true', ...Array(11).fill('false')])
  expect(items.map((item) => item.querySelector('.lucide-check') !== null)).toEqual([true, ...Array(11).fill(false)])
}

it.each([
  [false, true],
  [true, false],
])('a crown leads to the upgrade page: to a reader who is Pro %s it shows %s', async (isPro, shown) => {
  renderApp('/', { ...signedIn, 'GET /api/auth/user': { ...reader, isPro } })
  const header = within(await screen.findByRole('banner'))
  expect(await header.findByRole('link', { name: 'Account' })).toBeVisible()
  const link = header.queryByRole('link', { name: 'Go Pro' })
  expect(link !== null).toBe(shown)
  if (shown) {
    expect(link).toHaveAttribute('href', '/subscribe')
    expect(link?.querySelector('.lucide-crown')).toBeInTheDocument()
  }
})

describe('the home screen', () => {
  it.each(['/', '/gallery'])('stacks its sections in order at %s', async (path) => {
    renderApp(path, signedIn)
    await screen.findByRole('heading', { name: 'New cover' })
    await waitFor(() => expect(document.querySelector('#pricing')).toBeInTheDocument())
    const main = screen.getByRole('main')
    expect([...main.querySelectorAll('section[id]')].map(({ id }) => id)).toEqual([
      'generate',
      'gallery',
      'themes',
      'pricing',
    ])
    expect(main.compareDocumentPosition(await bar()) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })
})

describe('while it is not known who is there', () => {
  it('a wheel turns beside "Loading..."', async () => {
    renderApp('/', { 'GET /api/auth/user': () => new Promise(() => undefined) })
    const wheel = await screen.findByRole('status')
    expect(wheel).toHaveTextContent(/^Loading\.\.\.$/)
    expect(wheel.querySelector('.animate-spin')).toBeInTheDocument()
  })
})
