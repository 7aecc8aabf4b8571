import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { instancesQuery, providersQuery } from '@/features/admin/api/queries'
import { InstancePage } from '@/features/admin/instance/instance-page'
import { warmPage } from '../-warm-page'

export const Route = createFileRoute('/_site/admin/providers/$id')({
  staticData: { title: 'admin.providers.title' },
  loader: (loading) =>
    warmPage(loading, (client) => [client.ensureQueryData(instancesQuery()), client.ensureQueryData(providersQuery())]),
  component: Page,
})

const route = getRouteApi('/_site/admin/providers/$id')

function Page() {
  const { id } = route.useParams()
  return <InstancePage key={id} id={id} />
}
