import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { log } from '@/lib/browser/log'
import { detectLanguage } from './detect-language'
import { readLanguageSources, rememberLanguage, rememberLanguageForTab } from './language-preference'
import { directionOf, isLanguage, type Language, languages, splitPath, toLanguage } from './languages'
import { localeBackend } from './locale-backend'
import { replaceUrlLanguage } from './url-language'

export const i18n = i18next.createInstance()

/** Texts that only administrators read: in files of their own, loaded with the first page that needs them. */
export const ADMIN_NAMESPACE = ['admin', 'providers']

/** Texts of the spine calculator, in a file of their own. The server reads it, too. */
export const SPINE_NAMESPACE = 'spine'

/** Texts of the pages for everybody, in a file of their own. The server reads it, too. */
export const PAGES_NAMESPACE = 'pages'

/** Texts of series, in a file of their own. */
export const SERIES_NAMESPACE = 'series'

/** Texts of books, in a file of their own; those of the spine calculator name papers and guides. */
export const BOOK_NAMESPACES = ['books', SPINE_NAMESPACE]

const scriptFonts: Partial<Record<Language, () => Promise<unknown>>> = {
  ar: () => import('./fonts-ar'),
  hi: () => import('./fonts-hi'),
}

/** Detects the language and loads its texts. Resolves when the first words can be shown. */
export async function startI18n(): Promise<void> {
  const sources = readLanguageSources()
  const lng = detectLanguage(sources)
  // ?lng= is a choice the reader made by following a link
  if (toLanguage(sources.query)) rememberLanguage(lng)
  if (splitPath(sources.pathname).language === lng) rememberLanguageForTab(lng)
  i18n.on('languageChanged', dressPage)
  await i18n
    .use(localeBackend)
    .use(initReactI18next)
    .init({
      lng,
      supportedLngs: languages.map((language) => language.code),
      // every file is complete (tested), so English need not be loaded beside another language
      fallbackLng: false,
      fallbackNS: [...ADMIN_NAMESPACE, ...BOOK_NAMESPACES, PAGES_NAMESPACE, SERIES_NAMESPACE],
      load: 'languageOnly',
      interpolation: { escapeValue: false },
    })
}

/** Changes the language of the whole interface and keeps the choice. False, and a log line, for an unknown code. */
export async function changeLanguage(code: string): Promise<boolean> {
  if (!isLanguage(code)) {
    log('Unsupported language', code)
    return false
  }
  await i18n.changeLanguage(code)
  rememberLanguage(code)
  replaceUrlLanguage(code)
  return true
}

function dressPage(language: string): void {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  if (isLanguage(language)) void scriptFonts[language]?.()
}
