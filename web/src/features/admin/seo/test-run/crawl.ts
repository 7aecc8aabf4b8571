import type { Language } from '@/i18n/languages'

/** What the tests ask for, in this order. */
export const CRAWL_TARGETS = [
  'sitemap',
  'sitemapOfLanguage',
  'sitemapOfImages',
  'robots',
  'page',
  'sharedImage',
] as const
export type CrawlTarget = (typeof CRAWL_TARGETS)[number]

/** The addresses that search engines ask a site for, in one of its languages. */
export const crawlUrls = (language: Language): Record<CrawlTarget, string> => ({
  sitemap: '/sitemap.xml',
  sitemapOfLanguage: `/sitemap-${language}.xml`,
  sitemapOfImages: '/sitemap-images.xml',
  robots: '/robots.txt',
  page: `/${language}/`,
  sharedImage: `/api/og-image?lang=${language}`,
})

/** What came back. `status` is 0 when nothing did; `text` is empty for a picture; `size` is in bytes. */
export type CrawlResponse = { status: number; statusText: string; headers: Headers; text: string; size: number }
export type CrawlResponses = Partial<Record<CrawlTarget, CrawlResponse>>

/** Milliseconds between an answer and the next question. */
export const REQUEST_INTERVAL = 100
/** Milliseconds after which an answer is no longer waited for. */
const PATIENCE = 30_000
/** Browsers that keep this header to themselves, as Chromium does, send their own name without a word. */
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

const NOTHING: CrawlResponse = { status: 0, statusText: '', headers: new Headers(), text: '', size: 0 }

/** Asks as a crawler would: signed out, and for the thing itself instead of a kept copy. */
async function ask(address: string, stop: AbortSignal): Promise<CrawlResponse> {
  try {
    // by hand, because what is judged is the bare answer, whatever its status
    const answer = await fetch(address, {
      headers: { 'User-Agent': CRAWLER },
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.any([stop, AbortSignal.timeout(PATIENCE)]),
    })
    const { status, statusText, headers } = answer
    const body = await answer.arrayBuffer()
    const text = headers.get('content-type')?.startsWith('image/') ? '' : new TextDecoder().decode(body)
    return { status, statusText, headers, text, size: body.byteLength }
  } catch {
    return NOTHING
  }
}

/** Asks for one address after the other; `onAnswer` hears of each, and of none after `stop`. */
export async function crawl(
  language: Language,
  stop: AbortSignal,
  onAnswer: (place: CrawlTarget, answer: CrawlResponse) => void,
): Promise<void> {
  const addresses = crawlUrls(language)
  for (const [nth, place] of CRAWL_TARGETS.entries()) {
    if (nth > 0) await new Promise((over) => setTimeout(over, REQUEST_INTERVAL))
    if (stop.aborted) return
    const answer = await ask(addresses[place], stop)
    if (stop.aborted) return
    onAnswer(place, answer)
  }
}
