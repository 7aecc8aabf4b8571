import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { initReactI18next } from 'react-i18next'
import { afterEach } from 'vitest'
import { i18n } from '@/i18n'
import en from '../../public/locales/en/translation.json'

await i18n
  .use(initReactI18next)
  .init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } })

// the first screen of a file waits for its code, on a busy machine longer than the usual second
configure({ asyncUtilTimeout: 5_000 })

afterEach(() => cleanup())
