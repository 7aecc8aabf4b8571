import { i18n } from '@/i18n'
import { formatters } from '@/i18n/format'
import { ApiError, type FieldCode } from './api-error'

/** The message to show for a failed call: in the reader's language where the code is known, else the server's own. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return i18n.t('errors.unknown')
  return codeMessage(error.code) ?? firstFieldMessage(error) ?? error.userMessage
}

/** The message to show for each bad field of a call: in the reader's language where we can, else the server's own. */
export function fieldMessages(error: ApiError): Record<string, string> {
  return Object.fromEntries(
    Object.entries(error.fields).map(([name, words]) => [name, inWords(error.fieldCodes[name]) ?? words] as const),
  )
}

/** The server repeats what it says of the first bad field as what it says of the whole. */
function firstFieldMessage(error: ApiError): string | undefined {
  const blamed = Object.keys(error.fields).find((name) => error.fields[name] === error.userMessage)
  return blamed === undefined ? undefined : inWords(error.fieldCodes[blamed])
}

/** Numbers are written as the language does; the one called `count` chooses the form of its noun as well. */
function inWords(about: FieldCode | undefined): string | undefined {
  if (!about) return undefined
  const { count, ...others } = about.values ?? {}
  const { measure } = formatters(i18n.language)
  const numbers = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, measure(value)]))
  const values = { ...numbers, ...(count !== undefined && { count, formatted: measure(count) }) }
  const key = `errors.field.${about.code}`
  return i18n.exists(key, values) ? i18n.t(key as 'errors.field.required', values) : undefined
}

/** What a code means, in the reader's language; undefined for one that we do not know. */
export function codeMessage(code: string): string | undefined {
  const key = `errors.code.${code}`
  return i18n.exists(key) ? i18n.t(key as 'errors.code.network') : undefined
}
