import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { budgetsQuery, instancesQuery, usageQuery } from '@/features/admin/api/queries'
import { UsagePage, usageRange } from '@/features/admin/operations/usage-page'
import { changed, textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('by', 'from', 'to')

export const Route = createFileRoute('/_site/admin/usage')({
  validateSearch,
  staticData: { title: 'admin.usage.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(usageQuery(...usageRange(deps))),
      client.ensureQueryData(budgetsQuery()),
      client.ensureQueryData(instancesQuery()),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/usage')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return <UsagePage filter={filter} onFilter={(change) => void navigate({ search: changed(change), replace: true })} />
}
