import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { instancesQuery, messageQuery } from '@/features/admin/api/queries'
import { OutboxPage } from '@/features/admin/operations/outbox-page'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('instance', 'message')

export const Route = createFileRoute('/_site/admin/outbox')({
  validateSearch,
  staticData: { title: 'admin.outbox.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(instancesQuery()),
      ...(deps.instance && deps.message ? [client.ensureQueryData(messageQuery(deps.instance, deps.message))] : []),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/outbox')

function Page() {
  const { instance, message } = route.useSearch()
  const navigate = route.useNavigate()
  return <OutboxPage instance={instance} message={message} onOpen={(search) => void navigate({ search })} />
}
