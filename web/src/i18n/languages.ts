// the server reads the same file; its keys are typed, so that an unknown code is an error of the compiler
import listed from '../../../kernel/core/text/languages.json' with { type: 'json' }

export type Language = keyof typeof listed

type Listed = {
  code: Language
  /** What its speakers call it. */
  name: string
  /** An ISO 3166 country code. */
  flag: string
}

const codes = Object.keys(listed) as Language[]

/** The languages of the interface, in the order the pickers show them. */
export const languages: readonly Listed[] = codes.map(languageOf)

export function languageOf(code: Language): Listed {
  return { code, ...listed[code] }
}

export const FALLBACK: Language = 'en'

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(listed, value)
}

/** Reads `pt-BR`, `PT_br` or `pt` as `pt`; undefined for a language the interface does not speak. */
export function toLanguage(value: string | null | undefined): Language | undefined {
  const code = value?.trim().toLowerCase().split(/[-_]/)[0]
  return isLanguage(code) ? code : undefined
}

export function directionOf(language: string): 'rtl' | 'ltr' {
  return isLanguage(language) && listed[language].direction === 'rtl' ? 'rtl' : 'ltr'
}

/** Splits `/ar/gallery` into its language, if it has one, and the rest, `/gallery`. */
export function splitPath(pathname: string): { language: Language | undefined; rest: string } {
  const first = pathname.split('/')[1]
  if (!isLanguage(first)) return { language: undefined, rest: pathname }
  return { language: first, rest: pathname.slice(first.length + 1) || '/' }
}
