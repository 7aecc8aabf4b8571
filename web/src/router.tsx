import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import type { ParseKeys } from 'i18next'
import { PageError } from './features/shell/components/page-error'
import { addLanguage, resetUrlLanguage, stripLanguage } from './i18n/url-language'
import { routeTree } from './routeTree.gen'
import { Spinner } from './ui/states'

/** The router of the page; tests hand in a history of their own. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  resetUrlLanguage()
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0, // the query client owns freshness
    defaultPendingMs: 300,
    defaultPendingMinMs: 300,
    defaultPendingComponent: () => <Spinner className="min-h-page-fill" />,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
    // routes are written without a language; the address bar keeps the one it came with
    rewrite: {
      input: ({ url }) => {
        url.pathname = stripLanguage(url.pathname)
        return url
      },
      output: ({ url }) => {
        url.pathname = addLanguage(url.pathname)
        return url
      },
    },
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** The page's part of the window title; what the loader gives fills its gaps. */
    title?: ParseKeys
  }
}
