import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getBrandingOptions } from '@/api/generated/@tanstack/react-query.gen'
import { Skeleton } from '@/ui/states'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import type { PictureUse } from './mutations'
import { PictureCard } from './picture-card'
import { StatsCard } from './stats-card'

const uses = ['logo', 'favicon', 'footer-logo'] as const satisfies readonly PictureUse[]

/** The logos, the page's icon, and the figures of the landing page. */
export function BrandingPage() {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.branding.title')} lead={t('admin.branding.lead')}>
      <p role="alert" className="mb-6 rounded-md bg-warn-soft px-4 py-3 text-sm text-warn">
        {t('admin.branding.privileges')}
      </p>
      <div className="space-y-6">
        <AdminQueryBoundary skeleton={<PictureSkeletons />}>
          <Pictures />
        </AdminQueryBoundary>
        <StatsCard />
      </div>
    </AdminPage>
  )
}

function Pictures() {
  const { data: branding } = useSuspenseQuery(getBrandingOptions())
  return uses.map((use) => <PictureCard key={use} use={use} branding={branding} />)
}

function PictureSkeletons() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')} className="space-y-6">
      {uses.map((use) => (
        <Skeleton key={use} className="h-56 rounded-lg" />
      ))}
    </div>
  )
}
