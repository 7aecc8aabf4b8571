import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { usersQuery } from '@/features/admin/users/queries'
import { validateUserSearch } from '@/features/admin/users/user-filter'
import { UsersPage } from '@/features/admin/users/users-page'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/users')({
  validateSearch: validateUserSearch,
  staticData: { title: 'admin.users.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) => warmPage(loading, (client) => [client.ensureInfiniteQueryData(usersQuery(deps))]),
  component: Page,
})

const route = getRouteApi('/_site/admin/users')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return <UsersPage filter={filter} onFilter={(search) => void navigate({ search, replace: true })} />
}
