import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { WebhooksPage } from '@/features/admin/records/webhooks-page'
import { textSearch } from './-search'

export const Route = createFileRoute('/_site/admin/webhooks')({
  validateSearch: textSearch('instance'),
  staticData: { title: 'admin.webhooks.title' },
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
