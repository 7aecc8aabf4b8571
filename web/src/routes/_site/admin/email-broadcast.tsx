import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { CampaignPage } from '@/features/admin/mail/campaigns/campaign-page'
import { draftQuery, draftsQuery } from '@/features/admin/mail/drafts/queries'
import { audienceQuery, campaignsQuery, templateQuery } from '@/features/admin/mail/queries'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('draft')

export const Route = createFileRoute('/_site/admin/email-broadcast')({
  validateSearch,
  staticData: { title: 'admin.emailBroadcast.title' },
  loaderDeps: ({ search }) => search,
  // the first save of a draft changes the address while somebody types: a spinner would take the form away
  pendingMs: Number.POSITIVE_INFINITY,
  loader: ({ deps: { draft }, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(templateQuery('broadcast')),
      client.ensureQueryData(audienceQuery()),
      client.ensureInfiniteQueryData(draftsQuery()),
      client.ensureInfiniteQueryData(campaignsQuery()),
      ...(draft ? [client.ensureQueryData(draftQuery(draft))] : []),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/email-broadcast')

function Page() {
  const { draft } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <CampaignPage
      kind="broadcast"
      draft={draft}
      onDraft={(next) => void navigate({ search: { draft: next }, replace: true, ignoreBlocker: true })}
    />
  )
}
