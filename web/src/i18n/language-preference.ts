import { readCookie, writeCookie } from '@/lib/browser/cookies'
import { log } from '@/lib/browser/log'
import { readStored, writeStored } from '@/lib/browser/storage'
import type { LanguageSources } from './detect-language'
import type { Language } from './languages'

const STORAGE_KEYS = ['preferred-language', 'i18nextLng'] as const
const TAB_KEY = 'i18nextLng'
const COOKIES = ['preferred-language', 'i18next'] as const
const COOKIE_DAYS = 365

/** Reads every source of the browser. A source that fails is logged and counts as silent. */
export function readLanguageSources(): LanguageSources {
  return {
    query: attempt(() => new URLSearchParams(window.location.search).get('lng')),
    localStorage: STORAGE_KEYS.map((key) => readStored(key)),
    cookies: COOKIES.map((name) => attempt(() => readCookie(name))),
    pathname: window.location.pathname,
    sessionStorage: attempt(() => window.sessionStorage.getItem(TAB_KEY)),
    browser: navigator.languages ?? [navigator.language],
    htmlTag: document.documentElement.lang,
  }
}

/** Keeps a choice the reader made, where the next visit and the server will find it. */
export function rememberLanguage(language: Language): void {
  for (const key of STORAGE_KEYS) writeStored(key, language)
  for (const name of COOKIES) attempt(() => writeCookie(name, language, COOKIE_DAYS))
}

/** Keeps the language of a prefix for this tab: sign-in and other detours leave the prefix behind. */
export function rememberLanguageForTab(language: Language): void {
  attempt(() => window.sessionStorage.setItem(TAB_KEY, language))
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    log('The language preference cannot be used', error)
    return null
  }
}
