import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { AttemptsPage } from '@/features/admin/records/attempts-page'
import { textSearch } from './-search'

export const Route = createFileRoute('/_site/admin/attempts')({
  validateSearch: textSearch('kind', 'instance', 'outcome'),
  staticData: { title: 'admin.attempts.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/attempts')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return <AttemptsPage filter={filter} onFilter={(search) => void navigate({ search, replace: true })} />
}
