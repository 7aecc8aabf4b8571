import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useUser } from '@/api/queries/site'
import { log } from '@/lib/browser/log'

const FailedPayment = lazy(() => import('./failed-payment'))
const KEY = 'failed-payment-closed'

/**
 * Tells the owner on every page that a renewal failed, until closed for as long as the tab is open. It stays below
 * the header, as pages may begin further down. Its place is kept while its text loads, so that nothing moves; the account
 * page says all of it anyway.
 */
export function PaymentStrip() {
  const user = useUser()
  const { pathname } = useLocation()
  const [closed, setClosed] = useState(readClosed)
  const failed = user?.subscription?.status
  if ((failed !== 'past_due' && failed !== 'unpaid') || closed === String(user?.id) || pathname === '/account')
    return null
  return (
    <div data-strip className="sticky top-16 z-20 h-(--strip) bg-warn-soft">
      <Suspense>
        <FailedPayment
          onClose={() => {
            setClosed(keepClosed(String(user?.id)))
            document.getElementById('main')?.focus({ preventScroll: true })
          }}
        />
      </Suspense>
    </div>
  )
}

function readClosed(): string | null {
  try {
    return window.sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Notes who closed it: another one who signs in afterwards is told. */
function keepClosed(id: string): string {
  try {
    window.sessionStorage.setItem(KEY, id)
  } catch (error) {
    log('The strip cannot stay closed', error)
  }
  return id
}
