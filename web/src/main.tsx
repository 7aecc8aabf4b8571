import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Direction } from 'radix-ui'
import { lazy, StrictMode, Suspense, startTransition, useEffect, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider, useTranslation } from 'react-i18next'
import { getBrandingOptions } from './api/generated/@tanstack/react-query.gen'
import { planLimitsQuery, prefetchUser } from './api/queries/site'
import { createQueryClient } from './api/query-client'
import { Reauthentication } from './features/shell/reauthentication/reauthentication'
import { redirectToSignIn } from './features/shell/redirect-to-sign-in'
import { i18n, startI18n } from './i18n'
import { createAppRouter } from './router'
import { cn } from './ui/cn'
import { loadDisplayFont } from './ui/display-font'
import { currentToast, subscribeToToasts } from './ui/overlay/toast-store'
import { Spinner } from './ui/states'
import './styles/app.css'

// the first toast waits in its store for the code that shows it, which is loaded when the first screen stands there
const loadToaster = () => import('./ui/overlay/toaster')
const Toaster = lazy(loadToaster)

function App() {
  const { i18n } = useTranslation()
  const hasToast = useSyncExternalStore(subscribeToToasts, () => currentToast() !== undefined)
  useEffect(() => void loadToaster().catch(() => undefined), [])
  return (
    <Direction.Provider dir={i18n.dir()}>
      <Suspense fallback={<Spinner className="min-h-dvh" />}>
        <RouterProvider router={router} />
      </Suspense>
      <Reauthentication />
      {hasToast && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </Direction.Provider>
  )
}

const queryClient = createQueryClient(redirectToSignIn)
const router = createAppRouter(queryClient)

// asked for beside the words, not after them
prefetchUser(queryClient)
void queryClient.prefetchQuery(getBrandingOptions())
void queryClient.prefetchQuery(planLimitsQuery())
const words = startI18n()
// slow the first time they are used; now there is nothing to wait for them yet
setTimeout(() => cn('p-0'))
setTimeout(() => new Intl.NumberFormat('en', { maximumFractionDigits: 2 }))
await words
// what is known before the first render is built in slices; what comes after it, in one piece
await router.load()

const root = document.getElementById('root')
if (!root) throw new Error('#root is missing from index.html')

// as a transition, React lets taps and keys through while it builds the first screen
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <App />
        </QueryClientProvider>
      </I18nextProvider>
    </StrictMode>,
  ),
)
void loadDisplayFont()
