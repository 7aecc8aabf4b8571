import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { instancesQuery, pluginsQuery, providersQuery } from '@/features/admin/api/queries'
import { PluginPage } from '@/features/admin/plugin/plugin-page'
import { textSearch } from '../../../-search'
import { warmPage } from '../-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('page', 'instance')

export const Route = createFileRoute('/_site/admin/plugins/$name')({
  validateSearch,
  staticData: { title: 'admin.plugins.title' },
  loader: (loading) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(pluginsQuery()),
      client.ensureQueryData(providersQuery()),
      client.ensureQueryData(instancesQuery()),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/plugins/$name')

function Page() {
  const { name } = route.useParams()
  const { page, instance } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <PluginPage key={name} name={name} page={page} instance={instance} onOpen={(search) => void navigate({ search })} />
  )
}
