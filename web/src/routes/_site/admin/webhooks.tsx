import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { instancesQuery, lastWebhooksQuery, webhooksQuery } from '@/features/admin/api/queries'
import { WebhooksPage } from '@/features/admin/operations/webhooks-page'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('instance')

export const Route = createFileRoute('/_site/admin/webhooks')({
  validateSearch,
  staticData: { title: 'admin.webhooks.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureInfiniteQueryData(webhooksQuery(deps.instance)),
      client.ensureQueryData(lastWebhooksQuery()),
      client.ensureQueryData(instancesQuery()),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/webhooks')

function Page() {
  const { instance } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WebhooksPage
      instance={instance}
      onInstance={(chosen) => void navigate({ search: { instance: chosen }, replace: true })}
    />
  )
}
