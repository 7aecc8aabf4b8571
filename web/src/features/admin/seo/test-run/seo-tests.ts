import { type Language, languages } from '@/i18n/languages'
import { CRAWL_TARGETS, type CrawlResponse, type CrawlResponses, type CrawlTarget, crawlUrls } from './crawl'

/** What a test found, as the end of a key of `admin.seoTest.found`. */
type Finding =
  | 'network'
  | 'noSitemap'
  | 'unlisted'
  | 'noPages'
  | 'noImages'
  | 'robots'
  | 'robotsClosed'
  | 'robotsEmpty'
  | 'robotsBare'
  | 'title'
  | 'noTitle'
  | 'noDescription'
  | 'canonical'
  | 'noCanonical'
  | 'otherCanonical'
  | 'hreflang'
  | 'noHreflang'
  | 'structuredData'
  | 'noStructuredData'
  | 'badStructuredData'
  | 'sharedImage'
  | 'noSharedImage'
  | 'notAnImage'
  | 'language'
  | 'otherLanguage'
  | 'hidden'
  | 'compression'
  | 'noCompression'
  | 'caching'
  | 'noCaching'

type Found =
  | { finding: Finding }
  | { finding: 'sitemaps' | 'pages' | 'images'; count: number }
  | { finding: 'http' | 'httpBare'; code: number; text: string }

/** How a test went. `detail` is what was found, or is missing, in the site's own words. */
export type TestResult = Found & { status: 'pass' | 'warning' | 'fail'; detail?: string }

type Got = Record<CrawlTarget, CrawlResponse>
type Test = {
  id: string
  /** The answers without which there is nothing to judge. */
  on: readonly CrawlTarget[]
  /** Looks at every other answer as well, as far as it is good. */
  across?: true
  evaluate: (got: Got, language: Language) => TestResult
}

/** The vocabularies of sitemaps. */
const SPACES = {
  sitemap: 'http://www.sitemaps.org/schemas/sitemap/0.9',
  xhtml: 'http://www.w3.org/1999/xhtml',
  image: 'http://www.google.com/schemas/sitemap-image/1.1',
} as const

const pass = (finding: Finding, detail?: string): TestResult => ({ status: 'pass', finding, detail })
const warning = (finding: Finding, detail?: string): TestResult => ({ status: 'warning', finding, detail })
const fail = (finding: Finding, detail?: string): TestResult => ({ status: 'fail', finding, detail })
const counted = (finding: 'sitemaps' | 'pages' | 'images', count: number): TestResult => ({
  status: 'pass',
  finding,
  count,
})

/** Below this many bytes, compression is not worth its while. */
const WORTH_COMPRESSING = 1024

/** Why an answer cannot be judged any further; undefined for a good one. */
function refusal({ status, statusText }: CrawlResponse): TestResult | undefined {
  if (status === 0) return fail('network')
  if (status >= 200 && status < 300) return undefined
  // newer versions of the protocol have no words
  return { status: 'fail', finding: statusText ? 'http' : 'httpBare', code: status, text: statusText }
}

function xmlOf({ text }: CrawlResponse, root: string): Document | undefined {
  const parsed = new DOMParser().parseFromString(text, 'application/xml')
  const { localName, namespaceURI } = parsed.documentElement
  return localName === root && namespaceURI === SPACES.sitemap ? parsed : undefined
}

/** The elements of that name, whatever a document calls its vocabularies. */
const named = (within: Document | Element, space: keyof typeof SPACES, name: string) =>
  [...within.querySelectorAll('*')].filter(
    ({ localName, namespaceURI }) => localName === name && namespaceURI === SPACES[space],
  )
const htmlOf = ({ text }: CrawlResponse) => new DOMParser().parseFromString(text, 'text/html')

/** The path of an address, without a slash at its end; hosts are not compared, for a site can have several. */
function pathOf(address: string): string | undefined {
  if (!URL.canParse(address, window.location.origin)) return undefined
  return new URL(address, window.location.origin).pathname.replace(/\/$/, '')
}

const HREFLANGS: readonly string[] = [...languages.map(({ code }) => code), 'x-default']

/** The languages that no link leads to. */
function unlinked(links: readonly Element[]): string {
  const linked = new Set(
    links.filter((link) => link.getAttribute('rel') === 'alternate').map((link) => link.getAttribute('hreflang')),
  )
  return HREFLANGS.filter((code) => !linked.has(code)).join(', ')
}

function sitemap({ sitemap: answer }: Got, language: Language): TestResult {
  const parsed = xmlOf(answer, 'sitemapindex')
  if (!parsed) return fail('noSitemap')
  const listed = named(parsed, 'sitemap', 'loc').map(({ textContent }) => pathOf(textContent?.trim() ?? ''))
  const own = crawlUrls(language).sitemapOfLanguage
  return listed.includes(own) ? counted('sitemaps', listed.length) : warning('unlisted', own)
}

function sitemapOfLanguage({ sitemapOfLanguage: answer }: Got): TestResult {
  const parsed = xmlOf(answer, 'urlset')
  if (!parsed) return fail('noSitemap')
  const pages = named(parsed, 'sitemap', 'url')
  if (pages.length === 0) return warning('noPages')
  const missing = pages.map((page) => unlinked(named(page, 'xhtml', 'link'))).find(Boolean)
  return missing ? warning('noHreflang', missing) : counted('pages', pages.length)
}

function sitemapOfImages({ sitemapOfImages: answer }: Got): TestResult {
  const parsed = xmlOf(answer, 'urlset')
  if (!parsed) return fail('noSitemap')
  const images = named(parsed, 'image', 'image').length
  return images > 0 ? counted('images', images) : warning('noImages')
}

/** Whether the rules for everybody, which some crawlers may be exempt from, shut the whole site. */
function isClosed(rules: readonly { name: string; value: string }[]): boolean {
  let agents: string[] = []
  let isHead = false
  for (const { name, value } of rules) {
    if (name === 'user-agent') agents = isHead ? [...agents, value] : [value]
    else if (name === 'disallow' && /^\/\*?$/.test(value) && agents.includes('*')) return true
    if (name) isHead = name === 'user-agent'
  }
  return false
}

function robots({ robots: answer }: Got): TestResult {
  const rules = answer.text.split(/\r?\n/).map((line) => {
    const [name = '', ...rest] = line.replace(/#.*/, '').split(':')
    return { name: name.trim().toLowerCase(), value: rest.join(':').trim() }
  })
  if (!rules.some(({ name }) => name === 'user-agent')) return fail('robotsEmpty')
  if (isClosed(rules)) return fail('robotsClosed')
  const map = rules.find(({ name, value }) => name === 'sitemap' && value)
  return map ? pass('robots', map.value) : warning('robotsBare')
}

function title({ page }: Got): TestResult {
  const parsed = htmlOf(page)
  const words = parsed.title.trim()
  if (!words) return fail('noTitle')
  const described = parsed.querySelector('meta[name="description"]')?.getAttribute('content')?.trim()
  return described ? pass('title', `${words} — ${described}`) : warning('noDescription', words)
}

function canonical({ page }: Got, language: Language): TestResult {
  const address = htmlOf(page).querySelector('link[rel="canonical"]')?.getAttribute('href')
  if (!address) return warning('noCanonical')
  const same = pathOf(address) === pathOf(crawlUrls(language).page)
  return same ? pass('canonical', address) : warning('otherCanonical', address)
}

function hreflang({ page }: Got): TestResult {
  const missing = unlinked([...htmlOf(page).head.querySelectorAll('link')])
  return missing ? warning('noHreflang', missing) : pass('hreflang', HREFLANGS.join(', '))
}

/** The types in a piece of structured data, which is one thing, a list of things, or a graph of them. */
function typesOf(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(typesOf)
  if (data === null || typeof data !== 'object') return []
  const { '@type': type, '@graph': graph } = data as Record<string, unknown>
  return [...(type === undefined ? [] : [type].flat().map(String)), ...typesOf(graph)]
}

function structuredData({ page }: Got): TestResult {
  const scripts = [...htmlOf(page).querySelectorAll('script[type="application/ld+json"]')]
  if (scripts.length === 0) return warning('noStructuredData')
  try {
    const types = scripts.flatMap(({ textContent }) => typesOf(JSON.parse(textContent ?? '')))
    return types.length > 0 ? pass('structuredData', types.join(', ')) : warning('noStructuredData')
  } catch {
    return fail('badStructuredData')
  }
}

function sharedImage({ page, sharedImage: answer }: Got): TestResult {
  const address = htmlOf(page).querySelector('meta[property="og:image"]')?.getAttribute('content')
  if (!address) return warning('noSharedImage')
  const type = answer.headers.get('content-type') ?? ''
  return type.startsWith('image/') && answer.size > 0 ? pass('sharedImage', address) : fail('notAnImage', type)
}

function language({ page }: Got, wanted: Language): TestResult {
  const parsed = htmlOf(page)
  const rule = parsed.querySelector('meta[name="robots"]')?.getAttribute('content') ?? page.headers.get('x-robots-tag')
  if (rule?.includes('noindex')) return fail('hidden', rule)
  const said = [parsed.documentElement.lang, page.headers.get('content-language') ?? wanted]
  const other = said.find((code) => code !== wanted)
  return other === undefined ? pass('language', wanted) : warning('otherLanguage', other)
}

const addressesWhere = (got: Got, language: Language, holds: (answer: CrawlResponse) => boolean) =>
  CRAWL_TARGETS.filter((place) => !refusal(got[place]) && holds(got[place])).map((place) => crawlUrls(language)[place])

function compression(got: Got, wanted: Language): TestResult {
  const loose = addressesWhere(
    got,
    wanted,
    ({ text, size, headers }) => text !== '' && size >= WORTH_COMPRESSING && !headers.has('content-encoding'),
  )
  if (loose.length > 0) return warning('noCompression', loose.join(' '))
  return pass('compression', got.page.headers.get('content-encoding') ?? undefined)
}

function caching(got: Got, wanted: Language): TestResult {
  const unkept = addressesWhere(
    got,
    wanted,
    ({ headers }) => !headers.has('cache-control') || /no-store/i.test(headers.get('cache-control') ?? ''),
  )
  if (unkept.length > 0) return warning('noCaching', unkept.join(' '))
  return pass('caching', got.page.headers.get('cache-control') ?? undefined)
}

/** The twelve tests in their three categories, each with the addresses it needs. */
export const CATEGORIES = [
  {
    id: 'crawling',
    tests: [
      { id: 'sitemap', on: ['sitemap'], evaluate: sitemap },
      { id: 'sitemapOfLanguage', on: ['sitemapOfLanguage'], evaluate: sitemapOfLanguage },
      { id: 'sitemapOfImages', on: ['sitemapOfImages'], evaluate: sitemapOfImages },
      { id: 'robots', on: ['robots'], evaluate: robots },
    ],
  },
  {
    id: 'page',
    tests: [
      { id: 'title', on: ['page'], evaluate: title },
      { id: 'canonical', on: ['page'], evaluate: canonical },
      { id: 'hreflang', on: ['page'], evaluate: hreflang },
      { id: 'structuredData', on: ['page'], evaluate: structuredData },
      { id: 'sharedImage', on: ['page', 'sharedImage'], evaluate: sharedImage },
    ],
  },
  {
    id: 'delivery',
    tests: [
      { id: 'language', on: ['page'], evaluate: language },
      { id: 'compression', on: ['page'], across: true, evaluate: compression },
      { id: 'caching', on: ['page'], across: true, evaluate: caching },
    ],
  },
] as const satisfies readonly { id: string; tests: readonly Test[] }[]

export const TESTS: readonly Test[] = CATEGORIES.flatMap<Test>(({ tests }) => [...tests])

/** Judges the answers a test needs; undefined while one of them is awaited. */
export function judge(
  { on, across, evaluate: rule }: Test,
  answers: CrawlResponses,
  language: Language,
): TestResult | undefined {
  if ((across ? CRAWL_TARGETS : on).some((place) => !answers[place])) return undefined
  const got = answers as Got
  return on.map((place) => refusal(got[place])).find(Boolean) ?? rule(got, language)
}
