/** The twelve languages of the interface, in the order the pickers show them. `flag` is an ISO 3166 country code. */
export const languages = [
  { code: 'en', name: 'English', flag: 'gb' },
  { code: 'es', name: 'Español', flag: 'es' },
  { code: 'fr', name: 'Français', flag: 'fr' },
  { code: 'de', name: 'Deutsch', flag: 'de' },
  { code: 'ja', name: '日本語', flag: 'jp' },
  { code: 'zh', name: '中文', flag: 'cn' },
  { code: 'it', name: 'Italiano', flag: 'it' },
  { code: 'pt', name: 'Português', flag: 'pt' },
  { code: 'ru', name: 'Русский', flag: 'ru' },
  { code: 'ko', name: '한국어', flag: 'kr' },
  { code: 'ar', name: 'العربية', flag: 'ae' },
  { code: 'hi', name: 'हिन्दी', flag: 'in' },
] as const

export type Language = (typeof languages)[number]['code']
export type Flag = (typeof languages)[number]['flag']

export const FALLBACK: Language = 'en'

const codes = new Set<string>(languages.map((language) => language.code))

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && codes.has(value)
}

/** Reads `pt-BR`, `PT_br` or `pt` as `pt`; undefined for a language the interface does not speak. */
export function toLanguage(value: string | null | undefined): Language | undefined {
  const code = value?.trim().toLowerCase().split(/[-_]/)[0]
  return isLanguage(code) ? code : undefined
}

export function directionOf(language: string): 'rtl' | 'ltr' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** Splits `/ar/gallery` into its language, if it has one, and the rest, `/gallery`. */
export function splitPath(pathname: string): { language: Language | undefined; rest: string } {
  const first = pathname.split('/')[1]
  if (!isLanguage(first)) return { language: undefined, rest: pathname }
  return { language: first, rest: pathname.slice(first.length + 1) || '/' }
}
