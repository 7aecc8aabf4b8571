import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useUser } from '@/api/queries/site'
import { readPaymentOutcome } from '@/features/checkout/payment-outcome'
import { PaymentStrip } from '@/features/plans/payment-strip'
import { PageShell } from '@/features/shell/components/page-shell'
import { homeSections } from '../-sections'

export const Route = createFileRoute('/_site')({ component: Site })

const PaymentReturn = lazy(() => import('@/features/checkout/components/payment-return'))

function Site() {
  const { searchStr } = useLocation()
  const outcome = readPaymentOutcome(searchStr)
  const user = useUser()
  return (
    <PageShell sections={homeSections} notice={<PaymentStrip />}>
      <Outlet />
      {user && outcome && (
        <Suspense>
          <PaymentReturn outcome={outcome} />
        </Suspense>
      )}
    </PageShell>
  )
}
