import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { InstancePage } from '@/features/admin/form/instance-page'

export const Route = createFileRoute('/_site/admin/providers/$id')({
  staticData: { title: 'admin.providers.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/providers/$id')

function Page() {
  const { id } = route.useParams()
  return <InstancePage key={id} id={id} />
}
