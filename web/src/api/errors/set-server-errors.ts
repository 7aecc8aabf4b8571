import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError } from './api-error'
import { errorMessage, fieldMessages } from './error-message'

// refusals of the whole request that a reader mends in one field
const aboutField: Record<string, string> = { email_taken: 'email', keyword_known: 'keyword' }

/** Shows the server's errors at their fields; returns the message for the form as a whole, if one is needed. */
export function setServerErrors<Form extends FieldValues>(
  error: unknown,
  fields: readonly Path<Form>[],
  setError: UseFormSetError<Form>,
): string | undefined {
  if (!(error instanceof ApiError)) throw error
  const about = aboutField[error.code] as Path<Form> | undefined
  if (about) {
    setError(about, { type: 'server', message: errorMessage(error) })
    return undefined
  }
  const told = fieldMessages(error)
  const named = fields.filter((field) => told[field])
  for (const field of named) setError(field, { type: 'server', message: told[field] })
  return named.length > 0 ? undefined : errorMessage(error)
}
