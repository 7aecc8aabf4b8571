import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { initReactI18next } from 'react-i18next'
import { afterEach } from 'vitest'
import { ADMIN_NAMESPACE, i18n } from '@/i18n'
import admin from '../../public/locales/en/admin.json'
import providers from '../../public/locales/en/providers.json'
import en from '../../public/locales/en/translation.json'

await i18n.use(initReactI18next).init({
  lng: 'en',
  resources: { en: { translation: en, admin, providers } },
  fallbackNS: ADMIN_NAMESPACE,
  interpolation: { escapeValue: false },
})

// the first screen of a file waits for its code, on a busy machine longer than the usual second
configure({ asyncUtilTimeout: 15_000 })

afterEach(() => cleanup())
