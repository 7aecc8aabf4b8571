import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { PersonPage } from '@/features/admin/users/person/person-page'
import { personQuery, TIMELINE_KINDS, timelineQuery } from '@/features/admin/users/queries'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('kind')
const kindOf = (kind: string | undefined) => TIMELINE_KINDS.find((known) => known === kind)

export const Route = createFileRoute('/_site/admin/users_/$id')({
  validateSearch,
  staticData: { title: 'admin.users.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, params, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(personQuery(Number(params.id))),
      client.ensureInfiniteQueryData(timelineQuery(Number(params.id), kindOf(deps.kind))),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/users_/$id')

function Page() {
  const { id } = route.useParams()
  const { kind } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <PersonPage
      key={id}
      id={Number(id)}
      kind={kindOf(kind)}
      onKind={(chosen) => void navigate({ search: { kind: chosen }, replace: true })}
    />
  )
}
