import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { savedFiltersQuery } from '@/features/admin/users/filters/queries'
import { usersQuery } from '@/features/admin/users/queries'
import { userFilter } from '@/features/admin/users/user-filter'
import { UsersPage } from '@/features/admin/users/users-page'
import { changed, textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('search', 'role', 'from', 'to', 'sort')

export const Route = createFileRoute('/_site/admin/users')({
  validateSearch,
  staticData: { title: 'admin.users.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureInfiniteQueryData(usersQuery(userFilter(deps))),
      // the list is of use without them
      client.prefetchQuery(savedFiltersQuery()),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/users')

function Page() {
  const filter = userFilter(route.useSearch())
  const navigate = route.useNavigate()
  return <UsersPage filter={filter} onFilter={(change) => void navigate({ search: changed(change), replace: true })} />
}
