import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { UsagePage } from '@/features/admin/records/usage-page'
import { textSearch } from './-search'

export const Route = createFileRoute('/_site/admin/usage')({
  validateSearch: textSearch('by', 'from', 'to'),
  staticData: { title: 'admin.usage.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/usage')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return <UsagePage filter={filter} onFilter={(search) => void navigate({ search, replace: true })} />
}
