import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { attemptsQuery, instancesQuery } from '@/features/admin/api/queries'
import { AttemptsPage, attemptFilter } from '@/features/admin/operations/attempts-page'
import { changed, textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('kind', 'instance', 'outcome')

export const Route = createFileRoute('/_site/admin/attempts')({
  validateSearch,
  staticData: { title: 'admin.attempts.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureInfiniteQueryData(attemptsQuery(attemptFilter(deps))),
      client.ensureQueryData(instancesQuery()),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/attempts')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <AttemptsPage filter={filter} onFilter={(change) => void navigate({ search: changed(change), replace: true })} />
  )
}
