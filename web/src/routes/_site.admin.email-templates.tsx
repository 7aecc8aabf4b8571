import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { TemplatesPage } from '@/features/admin/mail/templates-page'
import { textSearch } from './-search'

export const Route = createFileRoute('/_site/admin/email-templates')({
  validateSearch: textSearch('template'),
  staticData: { title: 'admin.emailTemplates.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/email-templates')

function Page() {
  const { template } = route.useSearch()
  const navigate = route.useNavigate()
  return <TemplatesPage kind={template} onKind={(kind) => void navigate({ search: { template: kind } })} />
}
