import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import * as v from 'valibot'
import { ApiError } from '@/api/error'
import { sentenceOf } from '@/api/sentence'

const EMAIL_LENGTH = 254
const NAME_LENGTH = 100
const PASSWORD_LENGTH = [8, 128] as const

// messages are translation keys, resolved where they are shown
const email = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('auth.invalid.emailMissing'),
  v.email('auth.invalid.email'),
  v.maxLength(EMAIL_LENGTH, 'auth.invalid.email'),
)
const newPassword = v.pipe(
  v.string(),
  v.nonEmpty('auth.invalid.passwordMissing'),
  v.minLength(PASSWORD_LENGTH[0], 'auth.invalid.passwordShort'),
  v.maxLength(PASSWORD_LENGTH[1], 'auth.invalid.passwordLong'),
)
const name = v.pipe(v.string(), v.trim(), v.maxLength(NAME_LENGTH, 'auth.invalid.nameLong'))

export const knownCredentials = v.object({
  email,
  // an old password may be of any length; spaces are part of it
  password: v.pipe(v.string(), v.nonEmpty('auth.invalid.passwordMissing')),
  firstName: v.string(),
  lastName: v.string(),
})
export const newCredentials = v.object({ email, password: newPassword })
export const newAccount = v.object({ email, password: newPassword, firstName: name, lastName: name })

export type MessageKey =
  | 'auth.invalid.emailMissing'
  | 'auth.invalid.email'
  | 'auth.invalid.passwordMissing'
  | 'auth.invalid.passwordShort'
  | 'auth.invalid.passwordLong'
  | 'auth.invalid.nameLong'

// refusals of the whole request that a reader mends in one field
const aboutField: Record<string, string> = { email_taken: 'email' }

/** Puts the server's objections to their fields; gives back the sentence for the form as a whole, if one is needed. */
export function placeErrors<Form extends FieldValues>(
  error: unknown,
  fields: readonly Path<Form>[],
  setError: UseFormSetError<Form>,
): string | undefined {
  if (!(error instanceof ApiError)) throw error
  const about = aboutField[error.code] as Path<Form> | undefined
  if (about) {
    setError(about, { type: 'server', message: sentenceOf(error) })
    return undefined
  }
  const named = fields.filter((field) => error.fields[field])
  for (const field of named) setError(field, { type: 'server', message: error.fields[field] })
  return named.length > 0 ? undefined : sentenceOf(error)
}
