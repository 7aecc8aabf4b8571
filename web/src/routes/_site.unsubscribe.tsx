import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { Unsubscribe } from '@/features/sign-in/unsubscribe'
import { textSearch } from './-search'

export const Route = createFileRoute('/_site/unsubscribe')({
  validateSearch: textSearch('token'),
  staticData: { title: 'unsubscribe.page' },
  component: Page,
})

const route = getRouteApi('/_site/unsubscribe')

function Page() {
  return <Unsubscribe token={route.useSearch().token} />
}
