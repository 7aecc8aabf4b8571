import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { toGenerator } from '@/features/admin/prompts/prompt-draft'
import { PromptsPage } from '@/features/admin/prompts/prompts-page'
import { promptQuery } from '@/features/admin/prompts/queries'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('tab')

export const Route = createFileRoute('/_site/admin/prompt-engineer')({
  validateSearch,
  staticData: { title: 'admin.prompts.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [client.ensureQueryData(promptQuery(`${toGenerator(deps.tab)}_prompt`))]),
  component: Page,
})

const route = getRouteApi('/_site/admin/prompt-engineer')

function Page() {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <PromptsPage
      generator={toGenerator(tab)}
      onGenerator={(chosen) => void navigate({ search: { tab: chosen }, replace: true })}
    />
  )
}
