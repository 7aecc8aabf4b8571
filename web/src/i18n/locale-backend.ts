import type { BackendModule, ReadCallback } from 'i18next'
import { FALLBACK } from './languages'

async function load(language: string, namespace: string): Promise<Record<string, unknown>> {
  const path = `/locales/${language}/${namespace}.json`
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${answer.status}: ${path}`)
  return answer.json()
}

/** Loads one file per language and namespace. One that cannot be had is replaced by the English one, never by keys. */
export const localeBackend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language: string, namespace: string, done: ReadCallback) {
    load(language, namespace)
      .catch((error) => (language === FALLBACK ? Promise.reject(error) : load(FALLBACK, namespace)))
      .then((texts) => done(null, texts))
      .catch((error) => done(error, null))
  },
}
