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
  const candidates = [
    sources.query,
    ...sources.localStorage,
    ...sources.cookies,
    splitPath(sources.pathname).language,
    sources.sessionStorage,
    ...sources.browser,
    sources.htmlTag,
  ]
  for (const candidate of candidates) {
    const language = toLanguage(candidate)
    if (language) return language
  }
  return FALLBACK
}
