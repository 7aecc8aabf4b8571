import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { AuditPage } from '@/features/admin/audit/audit-page'
import { auditFilter, auditQuery } from '@/features/admin/audit/queries'
import { changed, textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('area', 'object', 'actorId', 'from', 'to', 'values')

export const Route = createFileRoute('/_site/admin/audit')({
  validateSearch,
  staticData: { title: 'admin.audit.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [client.ensureInfiniteQueryData(auditQuery(auditFilter(deps)))]),
  component: Page,
})

const route = getRouteApi('/_site/admin/audit')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return <AuditPage filter={filter} onFilter={(change) => void navigate({ search: changed(change), replace: true })} />
}
