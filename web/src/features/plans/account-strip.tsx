import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useUser } from '@/api/queries/site'
import { log } from '@/lib/browser/log'

const strips = { payment: lazy(() => import('./failed-payment')), email: lazy(() => import('./email-trouble')) }
const KEY = 'account-strip-closed'

/**
 * Tells the owner on every page that a renewal failed, or else that no email reaches them, until closed for as long as
 * the tab is open. It stays below the header, as pages may begin further down. Its place is kept while its text loads,
 * so that nothing moves; the account page says all about payments anyway.
 */
export function AccountStrip() {
  const user = useUser()
  const { pathname } = useLocation()
  const [closed, setClosed] = useState(readClosed)
  const failed = user?.subscription?.status
  const unpaid = (failed === 'past_due' || failed === 'unpaid') && pathname !== '/account'
  const strip = unpaid ? 'payment' : user?.emailTrouble ? 'email' : undefined
  const mark = `${user?.id}${strip === 'email' ? strip : ''}`
  if (!strip || closed === mark) return null
  const Strip = strips[strip]
  return (
    <div data-strip className="sticky top-16 z-20 h-(--strip) bg-warn-soft">
      <Suspense>
        <Strip
          onClose={() => {
            setClosed(keepClosed(mark))
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
function keepClosed(mark: string): string {
  try {
    window.sessionStorage.setItem(KEY, mark)
  } catch (error) {
    log('The strip cannot stay closed', error)
  }
  return mark
}
