import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { initReactI18next } from 'react-i18next'
import { afterEach } from 'vitest'
import { i18n } from '@/i18n'
import en from '../../public/locales/en/translation.json'

await i18n
  .use(initReactI18next)
  .init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } })

afterEach(() => cleanup())
