import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useUser } from '@/api/queries/site'
import { readPaymentOutcome } from '@/features/checkout/payment-outcome'
import { AccountStrip } from '@/features/plans/account-strip'
import { PageShell } from '@/features/shell/components/page-shell'
import { homeSections } from '../-sections'

export const Route = createFileRoute('/_site')({ component: Site })

const PaletteKey = lazy(() => import('@/features/admin/palette/palette-key'))
const PaymentReturn = lazy(() => import('@/features/checkout/components/payment-return'))

function Site() {
  const { searchStr } = useLocation()
  const outcome = readPaymentOutcome(searchStr)
  const user = useUser()
  return (
    <PageShell sections={homeSections} notice={<AccountStrip />}>
      <Outlet />
      {user?.isAdmin && (
        <Suspense>
          <PaletteKey />
        </Suspense>
      )}
      {user && outcome && (
        <Suspense>
          <PaymentReturn outcome={outcome} />
        </Suspense>
      )}
    </PageShell>
  )
}
