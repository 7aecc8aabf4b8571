import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useUser } from '@/api/queries/site'
import { PaletteKey } from '@/features/admin/palette/palette-key'
import { readPaymentOutcome } from '@/features/checkout/payment-outcome'
import { AccountStrip } from '@/features/plans/account-strip'
import { PageShell } from '@/features/shell/components/page-shell'
import { homeSections } from '../-sections'

export const Route = createFileRoute('/_site')({ component: Site })

const PaymentReturn = lazy(() => import('@/features/checkout/components/payment-return'))

function Site() {
  const { searchStr } = useLocation()
  const outcome = readPaymentOutcome(searchStr)
  const user = useUser()
  return (
    <PageShell sections={homeSections} notice={<AccountStrip />}>
      <Outlet />
      {user?.isAdmin && <PaletteKey />}
      {user && outcome && (
        <Suspense>
          <PaymentReturn outcome={outcome} />
        </Suspense>
      )}
    </PageShell>
  )
}
