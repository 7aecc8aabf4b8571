import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { templateQuery } from '@/features/admin/mail/queries'
import { TemplatesPage, toEmailKind } from '@/features/admin/mail/templates/templates-page'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('template')

export const Route = createFileRoute('/_site/admin/email-templates')({
  validateSearch,
  staticData: { title: 'admin.emailTemplates.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [client.ensureQueryData(templateQuery(toEmailKind(deps.template)))]),
  component: Page,
})

const route = getRouteApi('/_site/admin/email-templates')

function Page() {
  const { template } = route.useSearch()
  const navigate = route.useNavigate()
  return <TemplatesPage kind={template} onKind={(kind) => void navigate({ search: { template: kind } })} />
}
