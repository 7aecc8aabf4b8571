import { describe, expect, it } from 'vitest'
import { languages } from '@/i18n/languages'
import { CRAWL_TARGETS, type CrawlResponse, type CrawlResponses, type CrawlTarget } from './crawl'
import { CATEGORIES, judge, TESTS } from './seo-tests'

const BASE = 'https://covers.example'
const codes = [...languages.map(({ code }) => code), 'x-default']
const alternates = (name: string, among: readonly string[] = codes) =>
  among.map((code) => `<${name} rel="alternate" hreflang="${code}" href="${BASE}/${code}/"/>`).join('')

const index = (...paths: string[]) =>
  `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<sitemap><loc>${BASE}${path}</loc></sitemap>`)
    .join('')}</sitemapindex>`
const urlset = (inside: string) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">${inside}</urlset>`
const page = (head: string, lang = 'fr') =>
  `<!doctype html><html lang="${lang}"><head>${head}</head><body><p>${'Covers. '.repeat(200)}</p></body></html>`

const head = {
  title: '<title>Couvertures</title>',
  description: '<meta name="description" content="Une couverture en quelques mots.">',
  canonical: `<link rel="canonical" href="${BASE}/fr/">`,
  alternates: alternates('link'),
  data: '<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite"},{"@type":["SoftwareApplication"]}]}</script>',
  image: `<meta property="og:image" content="${BASE}/api/og-image?lang=fr">`,
}
const without = (name: keyof typeof head, instead = '') => page(Object.values({ ...head, [name]: instead }).join(''))

function answer(text: string, headers: Record<string, string> = {}, status = 200, statusText = 'OK'): CrawlResponse {
  const usual = { 'cache-control': 'public, max-age=3600', 'content-encoding': 'gzip' }
  const size = text.length || 9_000
  return { status, statusText, headers: new Headers({ ...usual, ...headers }), text, size }
}

const good: Record<CrawlTarget, CrawlResponse> = {
  sitemap: answer(index('/sitemap-fr.xml', '/sitemap-images.xml')),
  sitemapOfLanguage: answer(urlset(`<url><loc>${BASE}/fr/</loc>${alternates('xhtml:link')}</url>`)),
  sitemapOfImages: answer(urlset(`<url><loc>${BASE}/</loc><image:image/><image:image/></url>`)),
  robots: answer(`User-agent: *\nDisallow: /api/\n\nSitemap: ${BASE}/sitemap.xml\n`),
  page: answer(page(Object.values(head).join('')), { 'content-language': 'fr' }),
  sharedImage: answer('', { 'content-type': 'image/png' }),
}

const verdict = (id: string, answers: CrawlResponses) => {
  const test = TESTS.find((one) => one.id === id)
  if (!test) throw new Error(`no test ${id}`)
  return judge(test, { ...good, ...answers }, 'fr')
}
const withPage = (text: string) => ({ page: answer(text) })

describe('the twelve tests', () => {
  it('stand in three categories', () => {
    expect(TESTS).toHaveLength(12)
    expect(CATEGORIES.map(({ id, tests }) => [id, tests.length])).toEqual([
      ['crawling', 4],
      ['page', 5],
      ['delivery', 3],
    ])
  })

  it.each(TESTS.map(({ id }) => id))('%s passes where all is well', (id) => {
    expect(verdict(id, {})).toMatchObject({ status: 'pass' })
  })

  it('wait for the answers that they need', () => {
    const decided = (answers: CrawlResponses) =>
      TESTS.filter((test) => judge(test, answers, 'fr') !== undefined).map(({ id }) => id)
    expect(decided({})).toEqual([])
    expect(decided({ sitemap: good.sitemap })).toEqual(['sitemap'])
    const { sharedImage: _, ...others } = good
    expect(decided(others)).not.toContain('compression')
    expect(decided(others)).not.toContain('sharedImage')
    expect(decided(good)).toHaveLength(12)
  })
})

describe('an answer that is none', () => {
  it('fails with its status and its words', () => {
    const gone = answer('{}', {}, 404, 'Not Found')
    expect(verdict('robots', { robots: gone })).toEqual({
      status: 'fail',
      finding: 'http',
      code: 404,
      text: 'Not Found',
    })
    expect(verdict('robots', { robots: { ...gone, statusText: '' } })).toMatchObject({ finding: 'httpBare', code: 404 })
    expect(verdict('sharedImage', { sharedImage: gone })).toMatchObject({ status: 'fail', code: 404 })
  })

  it('fails as a network error when nothing came', () => {
    const nothing = { ...answer(''), status: 0 }
    for (const test of TESTS) {
      const all = Object.fromEntries(CRAWL_TARGETS.map((place) => [place, nothing]))
      expect(judge(test, all, 'fr'), test.id).toEqual({ status: 'fail', finding: 'network' })
    }
  })

  it('is no matter to what can be said without it', () => {
    const gone = answer('', {}, 500, 'Internal Server Error')
    expect(verdict('caching', { sitemapOfImages: { ...gone, headers: new Headers() } })).toMatchObject({
      status: 'pass',
    })
  })
})

describe('what is missing', () => {
  it.each([
    ['canonical', without('canonical'), 'warning', 'noCanonical'],
    ['canonical', without('canonical', `<link rel="canonical" href="${BASE}/de/">`), 'warning', 'otherCanonical'],
    ['hreflang', without('alternates'), 'warning', 'noHreflang'],
    ['structuredData', without('data'), 'warning', 'noStructuredData'],
    ['structuredData', without('data', '<script type="application/ld+json">{oh</script>'), 'fail', 'badStructuredData'],
    [
      'structuredData',
      without('data', '<script type="application/ld+json">{}</script>'),
      'warning',
      'noStructuredData',
    ],
    ['title', without('title'), 'fail', 'noTitle'],
    ['title', without('description'), 'warning', 'noDescription'],
    ['sharedImage', without('image'), 'warning', 'noSharedImage'],
    ['language', page('', 'de'), 'warning', 'otherLanguage'],
    ['language', without('title', '<meta name="robots" content="noindex">'), 'fail', 'hidden'],
  ])('%s: %#', (id, text, status, finding) => {
    expect(verdict(id, withPage(text))).toMatchObject({ status, finding })
  })

  it('is named: the languages that are not linked', () => {
    const links = alternates('link', codes.slice(2, -1))
    expect(verdict('hreflang', withPage(without('alternates', links)))).toEqual({
      status: 'warning',
      finding: 'noHreflang',
      detail: 'en, es, x-default',
    })
    const map = urlset(`<url><loc>${BASE}/</loc>${alternates('xhtml:link', ['en'])}</url>`)
    expect(verdict('sitemapOfLanguage', { sitemapOfLanguage: answer(map) })).toMatchObject({ finding: 'noHreflang' })
  })

  it('is named: the addresses that come uncompressed, if they are large', () => {
    const plain = (text: string): CrawlResponse => ({
      ...answer(text),
      headers: new Headers({ 'cache-control': 'no-cache' }),
    })
    expect(verdict('compression', { page: plain(good.page.text), robots: plain(good.robots.text) })).toEqual({
      status: 'warning',
      finding: 'noCompression',
      detail: '/fr/',
    })
  })

  it('is named: the addresses that say nothing about keeping them', () => {
    const bare = { ...good.sitemap, headers: new Headers() }
    const never = { ...good.page, headers: new Headers({ 'cache-control': 'private, no-store' }) }
    expect(verdict('caching', { sitemap: bare, page: never })).toEqual({
      status: 'warning',
      finding: 'noCaching',
      detail: '/sitemap.xml /fr/',
    })
  })

  it('is told of sitemaps and images', () => {
    expect(verdict('sitemap', { sitemap: answer(index('/sitemap-de.xml')) })).toMatchObject({ finding: 'unlisted' })
    expect(verdict('sitemap', { sitemap: answer('<html></html>') })).toMatchObject({ finding: 'noSitemap' })
    expect(verdict('sitemap', { sitemap: answer('no XML') })).toMatchObject({ status: 'fail', finding: 'noSitemap' })
    expect(verdict('sitemapOfLanguage', { sitemapOfLanguage: answer(urlset('')) })).toMatchObject({
      status: 'warning',
      finding: 'noPages',
    })
    expect(verdict('sitemapOfImages', { sitemapOfImages: answer(urlset('')) })).toMatchObject({ finding: 'noImages' })
    const text = answer('{}', { 'content-type': 'application/json' })
    expect(verdict('sharedImage', { sharedImage: text })).toMatchObject({ status: 'fail', finding: 'notAnImage' })
  })
})

describe('the rules for crawlers', () => {
  it.each([
    ['nothing', '', 'fail', 'robotsEmpty'],
    ['everybody shut out', 'User-agent: *\nDisallow: /', 'fail', 'robotsClosed'],
    ['everybody among others', 'User-agent: *\nUser-agent: Bot\nDisallow: /*', 'fail', 'robotsClosed'],
    ['one shut out', 'User-agent: *\nDisallow:\n\nUser-agent: Bot\nDisallow: /\nSitemap: /s.xml', 'pass', 'robots'],
    ['no sitemap', 'User-agent: *\nDisallow: /api/ # private\nSitemap: # later', 'warning', 'robotsBare'],
  ])('%s', (_, text, status, finding) => {
    expect(verdict('robots', { robots: answer(text) })).toMatchObject({ status, finding })
  })
})
