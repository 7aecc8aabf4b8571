import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useUser } from '@/api/queries'
import { returnedFrom } from '@/features/checkout/returned'
import { PageShell } from '@/features/shell/page-shell'
import { homeSections } from './-sections'

export const Route = createFileRoute('/_site')({ component: Site })

const PaymentReturn = lazy(() => import('@/features/checkout/payment-return'))

function Site() {
  const { searchStr } = useLocation()
  const outcome = returnedFrom(searchStr)
  const user = useUser()
  return (
    <PageShell sections={homeSections}>
      <Outlet />
      {user && outcome && (
        <Suspense>
          <PaymentReturn outcome={outcome} />
        </Suspense>
      )}
    </PageShell>
  )
}
