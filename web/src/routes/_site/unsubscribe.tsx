import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { warm } from '@/api/queries/warm'
import { aboutQuery, Unsubscribe } from '@/features/sign-in/unsubscribe'
import { textSearch } from '../-search'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('token')

export const Route = createFileRoute('/_site/unsubscribe')({
  validateSearch,
  staticData: { title: 'unsubscribe.page' },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { token }, cause }) =>
    token ? warm(cause, [queryClient.ensureQueryData(aboutQuery(token))]) : undefined,
  component: Page,
})

const route = getRouteApi('/_site/unsubscribe')

function Page() {
  return <Unsubscribe token={route.useSearch().token} />
}
