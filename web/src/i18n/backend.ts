import type { BackendModule, ReadCallback } from 'i18next'
import { FALLBACK } from './languages'

async function load(language: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`/locales/${language}/translation.json`)
  if (!answer.ok) throw new Error(`${answer.status}: /locales/${language}/translation.json`)
  return answer.json()
}

/** Loads one file per language. A file that cannot be had is replaced by the English one, never by bare keys. */
export const localeFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language: string, _namespace: string, done: ReadCallback) {
    load(language)
      .catch((error) => (language === FALLBACK ? Promise.reject(error) : load(FALLBACK)))
      .then((texts) => done(null, texts))
      .catch((error) => done(error, null))
  },
}
