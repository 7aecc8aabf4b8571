import { ApiError } from '@/api/errors/api-error'
import { type Language, toLanguage } from '@/i18n/languages'

const OWN = ['subject', 'htmlBody']

/** The first version that the server objects to; undefined when it objects to none, or to something else. */
export function faultyVersion(error: unknown, fallback: Language): Language | undefined {
  const names = error instanceof ApiError ? Object.keys(error.fields) : []
  if (names.some((name) => OWN.includes(name))) return fallback
  return names.map((name) => toLanguage(/^versions\.(\w+)\./.exec(name)?.[1])).find(Boolean)
}

/** What the server objects to, with the faults of this version at the fields that show it. */
export function faultsShown(error: ApiError, version: Language | undefined): ApiError {
  const prefix = `versions.${version}.`
  const moved = <Value>(of: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(of).map(([name, value]) => [name.startsWith(prefix) ? name.slice(prefix.length) : name, value]),
    )
  return Object.assign(Object.create(error), { fields: moved(error.fields), fieldCodes: moved(error.fieldCodes) })
}
