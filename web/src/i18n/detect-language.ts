import { log } from '@/lib/browser/log'
import { FALLBACK, type Language, splitPath, toLanguage } from './languages'

/** Everything a browser can tell about the wanted language. */
export type LanguageSources = {
  query: string | null
  /** Saved by this site, newest key first. */
  localStorage: readonly (string | null)[]
  /** `preferred-language`, then `i18next`. */
  cookies: readonly (string | null)[]
  pathname: string
  sessionStorage: string | null
  browser: readonly string[]
  htmlTag: string | null
}

/** The one order of detection; the first source that names one of ours wins. */
export function detectLanguage(sources: LanguageSources): Language {
  return (
    chosen(sources.query, ...sources.localStorage, ...sources.cookies) ??
    splitPath(sources.pathname).language ??
    chosen(sources.sessionStorage) ??
    [...sources.browser, sources.htmlTag].map(toLanguage).find(Boolean) ??
    FALLBACK
  )
}

/** The first that is one of ours among what was chosen on this site; what stands before it leaves a log line. */
function chosen(...candidates: readonly (string | null)[]): Language | undefined {
  const place = candidates.findIndex(toLanguage)
  for (const unknown of candidates.slice(0, place < 0 ? undefined : place)) {
    if (unknown) log('Unsupported language', unknown)
  }
  return toLanguage(candidates[place])
}
