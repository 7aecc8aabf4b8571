import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PlanLimits } from '@/api/generated'
import { AdminPage } from '../admin-page'
import { Card } from '../card'
import { Unread } from '../unread'
import { LimitsForm } from './limits-form'
import { limitsQuery } from './queries'
import { ResetAll } from './reset-all'

/** What the form shows until the limits are there. */
const BEFORE_LOAD: PlanLimits = { proUnlimited: true, proMonthlyLimit: 100, freeMonthlyLimit: 1 }

/** How many covers each plan allows a month, and a new start for everybody. */
export function LimitsPage() {
  const { t } = useTranslation()
  const limits = useQuery(limitsQuery())
  return (
    <AdminPage title={t('admin.limits.title')} lead={t('admin.limits.lead')}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Card title={t('admin.limits.monthly')} lead={t('admin.limits.effect')}>
          {limits.isError && !limits.data ? (
            <Unread query={limits} />
          ) : (
            <LimitsForm limits={limits.data ?? BEFORE_LOAD} known={limits.data !== undefined} />
          )}
        </Card>
        <Card title={t('admin.limits.reset.title')} lead={t('admin.limits.reset.lead')}>
          <ResetAll />
        </Card>
      </div>
    </AdminPage>
  )
}
