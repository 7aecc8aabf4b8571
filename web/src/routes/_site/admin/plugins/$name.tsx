import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { PluginPage } from '@/features/admin/plugin/plugin-page'
import { textSearch } from '../../../-search'

// without a loader, which would be in the files of the first visit: few come here, and the page shows that it loads
export const Route = createFileRoute('/_site/admin/plugins/$name')({
  validateSearch: textSearch('page', 'instance'),
  staticData: { title: 'admin.plugins.title' },
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
