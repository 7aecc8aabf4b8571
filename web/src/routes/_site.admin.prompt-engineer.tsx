import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { GENERATORS } from '@/features/admin/prompts/draft'
import { PromptsPage } from '@/features/admin/prompts/prompts-page'
import { textSearch } from './-search'

export const Route = createFileRoute('/_site/admin/prompt-engineer')({
  validateSearch: textSearch('tab'),
  staticData: { title: 'admin.prompts.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/prompt-engineer')

function Page() {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <PromptsPage
      generator={GENERATORS.find((name) => name === tab) ?? 'standard'}
      onGenerator={(chosen) => void navigate({ search: { tab: chosen }, replace: true })}
    />
  )
}
