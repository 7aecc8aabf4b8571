import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PlanLimits } from '@/api/generated'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { Card } from '../components/card'
import { AdminPage } from '../layout/admin-page'
import { FreeFilesSwitch } from './free-files'
import { LimitsForm } from './limits-form'
import { limitsQuery } from './queries'
import { ResetCounters } from './reset-counters'

/** What the form shows until the limits are there. */
const BEFORE_LOAD: PlanLimits = { proUnlimited: true, proMonthlyLimit: 100, freeMonthlyLimit: 1 }

/** How many covers each plan allows a month, and a new start for everybody. */
export function LimitsPage() {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.limits.title')} lead={t('admin.limits.lead')}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Card title={t('admin.limits.monthly')} lead={t('admin.limits.effect')}>
          <AdminQueryBoundary skeleton={<LimitsForm limits={BEFORE_LOAD} known={false} />}>
            <SavedLimits />
          </AdminQueryBoundary>
          <div className="mt-6 max-w-md">
            <FreeFilesSwitch />
          </div>
        </Card>
        <Card title={t('admin.limits.reset.title')} lead={t('admin.limits.reset.lead')}>
          <ResetCounters />
        </Card>
      </div>
    </AdminPage>
  )
}

function SavedLimits() {
  return <LimitsForm limits={useSuspenseQuery(limitsQuery()).data} known />
}
