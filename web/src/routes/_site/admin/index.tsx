import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { noticesQuery } from '@/features/admin/api/queries'
import { DashboardPage } from '@/features/admin/dashboard/dashboard-page'
import { figuresQuery } from '@/features/admin/dashboard/figures/queries'
import { overviewQuery, statsQuery } from '@/features/admin/payments/queries'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('from', 'to')

export const Route = createFileRoute('/_site/admin/')({
  validateSearch,
  staticData: { title: 'admin.dashboard.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) => {
    // for the plots, which the page does not wait for
    void warmPage(loading, (client) => [client.ensureQueryData(figuresQuery(deps))])
    return warmPage(loading, (client) => [
      client.ensureQueryData(overviewQuery()),
      client.ensureQueryData(statsQuery()),
      client.ensureQueryData(noticesQuery()),
    ])
  },
  component: Page,
})

const route = getRouteApi('/_site/admin/')

function Page() {
  const range = route.useSearch()
  const navigate = route.useNavigate()
  return <DashboardPage range={range} onRange={(search) => void navigate({ search, replace: true })} />
}
