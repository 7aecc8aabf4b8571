import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { suppressionFilter, suppressionsQuery } from '@/features/admin/suppressions/queries'
import { SuppressionsPage } from '@/features/admin/suppressions/suppressions-page'
import { changed, textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('search', 'reason')

export const Route = createFileRoute('/_site/admin/suppressions')({
  validateSearch,
  staticData: { title: 'admin.suppressions.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [client.ensureInfiniteQueryData(suppressionsQuery(suppressionFilter(deps)))]),
  component: Page,
})

const route = getRouteApi('/_site/admin/suppressions')

function Page() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SuppressionsPage
      filter={filter}
      onFilter={(change) => void navigate({ search: changed(change), replace: true })}
    />
  )
}
