import { i18n } from '@/i18n'
import { ApiError } from './error'

/** What to tell a reader about a failed call, in their language where the code is known, else in the server's words. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return i18n.t('errors.unknown')
  return sentenceOfCode(error.code) ?? error.sentence
}

/** What a code means, in the reader's language; undefined for one that we do not know. */
export function sentenceOfCode(code: string): string | undefined {
  const key = `errors.code.${code}`
  return i18n.exists(key) ? i18n.t(key as 'errors.code.network') : undefined
}
