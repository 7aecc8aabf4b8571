import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const came = (text: string, type = 'text/html', status = 200) => ({
  status,
  statusText: '',
  headers: { 'cache-control': 'no-cache', 'content-type': type },
  text,
  size: text.length,
})
const map = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'

/** What the site answers the server, which asks as a crawler. */
const site: Record<string, unknown> = {
  sitemap: came('', 'text/html', 404),
  sitemapOfImages: came(map, 'application/xml'),
  robots: came('User-agent: *\nDisallow: /api/\nSitemap: /sitemap.xml', 'text/plain'),
  page: came('<html lang="en"><head><title>Covers</title></head></html>'),
  sharedImage: came('', 'image/png'),
  sitemapOfLanguage: new Refusal(503, 'Away.'),
}

const page = (answers: Record<string, unknown> = {}, path = '/admin/seo-test') =>
  renderApp(path, {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/seo/crawl': (_: unknown, { searchParams }: URL) => site[searchParams.get('target') ?? ''],
    ...answers,
  })
const run = async () => userEvent.click(await screen.findByRole('button', { name: 'Run SEO Tests' }))

it('the tests are run when they are asked for, and told of one by one, by category', async () => {
  const { requests } = page()
  expect(await screen.findByText('No tests have been run yet')).toBeVisible()
  expect(requests.map(({ call }) => call)).not.toContain('GET /api/admin/seo/crawl')
  await run()
  expect(await screen.findByRole('button', { name: 'Running SEO tests...' })).toBeDisabled()
  expect(screen.getByRole('progressbar', { name: 'Run SEO Tests' })).toHaveAttribute('aria-valuemax', '12')
  expect(await screen.findByText('Tests ended. Passed: 4, warnings: 6, failed: 2.')).toBeVisible()

  const category = async (name: string) =>
    within(await screen.findByRole('region', { name }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(await category('Crawling')).toEqual([
    'FailSitemap indexHTTP 404',
    'FailSitemap of the languageNetwork error',
    'WarningImage sitemapNo image is listed',
    'PassRules for crawlers (robots.txt)Crawlers are allowed and directed to the sitemap/sitemap.xml',
  ])
  expect(await category('Page')).toEqual([
    'WarningTitle and descriptionMissing descriptionCovers',
    'WarningCanonical addressMissing canonical address',
    expect.stringMatching(/^WarningOther languages \(hreflang\)Missing hreflangen, es, .*x-default$/),
    'WarningStructured dataMissing structured data',
    expect.stringMatching(/^WarningImage for shared links/),
  ])
  expect(await category('Delivery')).toHaveLength(3)
})

it('the tests ask in the language that is chosen, and what was found in another is gone', async () => {
  const languages: (string | null)[] = []
  const { router } = page({
    'GET /api/admin/seo/crawl': (_: unknown, { searchParams }: URL) => {
      languages.push(searchParams.get('language'))
      return site[searchParams.get('target') ?? '']
    },
  })
  await run()
  await screen.findByText('HTTP 404')
  const choice = screen.getByRole('combobox', { name: 'Language' })
  await userEvent.selectOptions(choice, 'العربية')
  expect(await screen.findByText('No tests have been run yet')).toBeVisible()
  expect(router.state.location.search).toEqual({ language: 'ar' })
  expect(choice).toHaveFocus()
  await run()
  await screen.findByText(/^Tests ended/)
  expect(languages.slice(-6)).toEqual(Array(6).fill('ar'))
})

it('the addresses can be opened and copied', async () => {
  page({}, '/admin/seo-test?language=hi')
  await userEvent.click(await screen.findByRole('tab', { name: 'Quick Links' }))
  const list = within(await screen.findByRole('list', { name: 'Quick Links' }))
  const { origin } = window.location
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    ['/sitemap.xml', '/sitemap-hi.xml', '/sitemap-images.xml', '/robots.txt', '/hi/', '/api/og-image?lang=hi'].map(
      (path) => origin + path,
    ),
  )
  expect(list.getAllByRole('button', { name: /^Copy: / })).toHaveLength(6)
  await run()
  expect(screen.getByRole('tab', { name: 'Results' })).toHaveAttribute('aria-selected', 'true')
})

it('the tests end with the session', async () => {
  page({ 'GET /api/admin/seo/crawl': new Refusal(401, 'You are signed out.', undefined, 'unauthorized') })
  await run()
  expect(await screen.findByText('Unauthorized')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Run SEO Tests' })).toBeEnabled()
})
