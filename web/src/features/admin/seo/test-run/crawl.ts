import { isUnauthorized } from '@/api/errors/api-error'
import { type CrawlOut, crawlSite } from '@/api/generated'
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
export type CrawlResponse = Omit<CrawlOut, 'headers'> & { headers: Headers }
export type CrawlResponses = Partial<Record<CrawlTarget, CrawlResponse>>

/** Milliseconds between an answer and the next question. */
export const REQUEST_INTERVAL = 100

const NOTHING: CrawlResponse = { status: 0, statusText: '', headers: new Headers(), text: '', size: 0 }

/** The server asks, as a crawler would: signed out, and by its name, which browsers do not let a page change. */
async function ask(target: CrawlTarget, language: Language, signal: AbortSignal): Promise<CrawlResponse> {
  try {
    const { data } = await crawlSite({ query: { target, language }, signal, throwOnError: true })
    return { ...data, headers: new Headers(data.headers) }
  } catch (error) {
    if (isUnauthorized(error)) throw error
    return NOTHING
  }
}

/** Asks for one thing after the other; `onAnswer` hears of each, and of none after `stop`. Rejects when signed out. */
export async function crawl(
  language: Language,
  stop: AbortSignal,
  onAnswer: (target: CrawlTarget, answer: CrawlResponse) => void,
): Promise<void> {
  for (const [nth, target] of CRAWL_TARGETS.entries()) {
    if (nth > 0) await new Promise((over) => setTimeout(over, REQUEST_INTERVAL))
    if (stop.aborted) return
    const answer = await ask(target, language, stop)
    if (stop.aborted) return
    onAnswer(target, answer)
  }
}
