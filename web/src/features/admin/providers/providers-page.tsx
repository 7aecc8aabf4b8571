import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { failoverOrdersQuery, healthQuery, instancesQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { PluginDocsLink } from '../components/plugin-docs-link'
import { AdminPage } from '../layout/admin-page'
import { KINDS } from '../types'
import { KindSection } from './components/kind-section'
import { Notices } from './components/notices'

/** Which services do the work, kind by kind, and how they do. */
export function ProvidersPage() {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.providers.title')} lead={t('admin.providers.lead')} actions={<PluginDocsLink />}>
      <Notices />
      <AdminQueryBoundary>
        <Kinds />
      </AdminQueryBoundary>
    </AdminPage>
  )
}

function Kinds() {
  const { data: routes } = useSuspenseQuery(failoverOrdersQuery())
  const { data: instances } = useSuspenseQuery(instancesQuery())
  // polled, and only a part of each row
  const health = useQuery(healthQuery())
  const byId = new Map(health.data?.map((entry) => [entry.instanceId, entry]))
  return (
    <div className="space-y-12">
      {KINDS.map((kind) => (
        <KindSection
          key={kind}
          route={routes.find((route) => route.kind === kind) ?? { kind, instances: [], userChoice: false, revision: 0 }}
          instances={instances.filter((instance) => instance.kind === kind)}
          health={byId}
          healthPending={health.isPending}
        />
      ))}
    </div>
  )
}
