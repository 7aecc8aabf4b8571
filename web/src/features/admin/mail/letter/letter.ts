import type { EmailDraftOut, LetterVersion } from '@/api/generated'
import { isLanguage, type Language } from '@/i18n/languages'

export type Text = Required<LetterVersion>
export type BodyFormat = EmailDraftOut['bodyFormat']

/** An email in all its languages; whoever reads none of them gets the one in `fallback`. */
export type Letter = { format: BodyFormat; fallback: Language; texts: Readonly<Partial<Record<Language, Text>>> }

export const EMPTY_TEXT: Text = { subject: '', htmlBody: '' }

/** The languages of a letter, the fall-back first. */
export const languagesOf = ({ fallback, texts }: Letter): Language[] => [
  fallback,
  ...Object.keys(texts).filter((code): code is Language => isLanguage(code) && code !== fallback),
]

/** A letter as calls take it; what is as usual is left out. */
export function letterBody({ format, fallback, texts }: Letter) {
  const { [fallback]: text = EMPTY_TEXT, ...versions } = texts
  return {
    ...text,
    ...(format !== 'html' && { bodyFormat: format }),
    ...((fallback !== 'en' || Object.keys(versions).length > 0) && { language: fallback, versions }),
  }
}

/** The letter that a draft holds. */
export function letterOf({ subject, htmlBody, bodyFormat, language, versions }: EmailDraftOut): Letter {
  const fallback = isLanguage(language) ? language : 'en'
  const others = Object.entries(versions).map(([code, text]) => [code, { ...EMPTY_TEXT, ...text }] as const)
  return {
    format: bodyFormat,
    fallback,
    texts: { ...Object.fromEntries(others), [fallback]: { subject, htmlBody } },
  }
}

/** How many people get which version: by what they read, else the fall-back. */
export function reachOf(letter: Letter, readers: Readonly<Record<string, number>>): Map<Language, number> {
  const reach = new Map(languagesOf(letter).map((code) => [code, 0]))
  for (const [code, count] of Object.entries(readers)) {
    const version = isLanguage(code) && letter.texts[code] ? code : letter.fallback
    reach.set(version, (reach.get(version) ?? 0) + count)
  }
  return reach
}
