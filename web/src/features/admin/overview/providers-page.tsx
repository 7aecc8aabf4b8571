import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AdminPage } from '../admin-page'
import { healthQuery, instancesQuery, routesQuery } from '../queries'
import { RowSkeletons, Unread } from '../unread'
import { KINDS } from '../wire'
import { KindSection } from './kind-section'
import { Notices } from './notices'

/** Which services do the work, kind by kind, and how they do. */
export function ProvidersPage() {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.providers.title')} lead={t('admin.providers.lead')}>
      <Notices />
      <Kinds />
    </AdminPage>
  )
}

function Kinds() {
  const routes = useQuery(routesQuery())
  const instances = useQuery(instancesQuery())
  const health = useQuery(healthQuery())
  if (routes.isPending || instances.isPending) return <RowSkeletons />
  if (!routes.data) return <Unread query={routes} />
  if (!instances.data) return <Unread query={instances} />
  const byId = new Map(health.data?.map((entry) => [entry.instanceId, entry]))
  return (
    <div className="space-y-12">
      {KINDS.map((kind) => (
        <KindSection
          key={kind}
          route={
            routes.data.find((route) => route.kind === kind) ?? { kind, instances: [], userChoice: false, revision: 0 }
          }
          instances={instances.data.filter((instance) => instance.kind === kind)}
          health={byId}
          healthPending={health.isPending}
        />
      ))}
    </div>
  )
}
