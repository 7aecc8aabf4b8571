import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { providersQuery } from '@/features/admin/api/queries'
import { NewInstancePage } from '@/features/admin/instance/instance-page'
import { textSearch } from '../../../-search'
import { warmPage } from '../-warm-page'

export const Route = createFileRoute('/_site/admin/providers/new')({
  validateSearch: textSearch('kind', 'provider'),
  staticData: { title: 'admin.providers.add' },
  loader: (loading) => warmPage(loading, (client) => [client.ensureQueryData(providersQuery())]),
  component: Page,
})

// by its name, not by the object above: that would put this page into a file of the first visit
const route = getRouteApi('/_site/admin/providers/new')

function Page() {
  const { kind, provider } = route.useSearch()
  return <NewInstancePage key={`${kind} ${provider}`} kind={kind} provider={provider} />
}
