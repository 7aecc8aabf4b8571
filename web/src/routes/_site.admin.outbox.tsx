import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { OutboxPage } from '@/features/admin/records/outbox-page'
import { textSearch } from './-search'

export const Route = createFileRoute('/_site/admin/outbox')({
  validateSearch: textSearch('instance', 'message'),
  staticData: { title: 'admin.outbox.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/outbox')

function Page() {
  const { instance, message } = route.useSearch()
  const navigate = route.useNavigate()
  return <OutboxPage instance={instance} message={message} onOpen={(search) => void navigate({ search })} />
}
