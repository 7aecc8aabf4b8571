import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { JobsPage, jobFilter } from '@/features/admin/jobs/jobs-page'
import { jobOverviewQuery, jobsQuery } from '@/features/admin/jobs/queries'
import { changed, textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('kind', 'state', 'owner')

export const Route = createFileRoute('/_site/admin/jobs')({
  validateSearch,
  staticData: { title: 'admin.jobs.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(jobOverviewQuery()),
      client.ensureInfiniteQueryData(jobsQuery(jobFilter(deps))),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/jobs')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <JobsPage
      filter={filter}
      onFilter={(change) => void navigate({ search: changed(change), replace: true, resetScroll: false })}
    />
  )
}
