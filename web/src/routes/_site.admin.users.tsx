import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { usersSearch } from '@/features/admin/users/filter'
import { UsersPage } from '@/features/admin/users/users-page'

export const Route = createFileRoute('/_site/admin/users')({
  validateSearch: usersSearch,
  staticData: { title: 'admin.users.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/users')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return <UsersPage filter={filter} onFilter={(search) => void navigate({ search, replace: true })} />
}
