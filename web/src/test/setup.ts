import '@testing-library/jest-dom/vitest'
import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react'
import { initReactI18next } from 'react-i18next'
import { afterEach } from 'vitest'
import { cancelRedirectToSignIn } from '@/features/shell/redirect-to-sign-in'
import { ADMIN_NAMESPACE, BOOK_NAMESPACES, i18n, PAGES_NAMESPACE, SERIES_NAMESPACE } from '@/i18n'
import { clearToast } from '@/ui/overlay/toast-store'
import admin from '../../public/locales/en/admin.json'
import books from '../../public/locales/en/books.json'
import pages from '../../public/locales/en/pages.json'
import providers from '../../public/locales/en/providers.json'
import series from '../../public/locales/en/series.json'
import spine from '../../public/locales/en/spine.json'
import en from '../../public/locales/en/translation.json'

await i18n.use(initReactI18next).init({
  lng: 'en',
  resources: { en: { translation: en, admin, providers, spine, books, pages, series } },
  fallbackNS: [...ADMIN_NAMESPACE, ...BOOK_NAMESPACES, PAGES_NAMESPACE, SERIES_NAMESPACE],
  interpolation: { escapeValue: false },
})

configure({
  // the first screen of a file waits for its code, on a busy machine longer than the usual second
  asyncUtilTimeout: process.env.CI ? 40_000 : 15_000,
  // while something is waited for, a query fails many times; the page is printed once, when the time is up
  getElementError: (message, page) => {
    const error = new Error(isWaiting() ? (message ?? '') : [message, prettyDOM(page)].filter(Boolean).join('\n\n'))
    error.name = 'TestingLibraryElementError'
    return error
  },
})

function isWaiting(): boolean {
  return Boolean(Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics'))
}

// a request's time limit cannot be called off, and would end during another test
AbortSignal.timeout = () => new AbortController().signal

// a window as high as every page: all there is comes near it
function nearlySeen(Observer: typeof IntersectionObserver): typeof IntersectionObserver {
  return class extends Observer {
    readonly #tell: () => void

    constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      super(tell, options)
      this.#tell = () => tell([{ isIntersecting: true } as IntersectionObserverEntry], this)
    }

    override observe(): void {
      queueMicrotask(this.#tell)
    }
  }
}
// some tests run without a page
if (globalThis.IntersectionObserver) globalThis.IntersectionObserver = nearlySeen(globalThis.IntersectionObserver)

// the files of a worker share one page: each test leaves it as it found it
afterEach(() => {
  cleanup()
  cancelRedirectToSignIn()
  clearToast()
  globalThis.sessionStorage?.clear()
})
