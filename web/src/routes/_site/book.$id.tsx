import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { getTradeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery, useUser } from '@/api/queries/site'
import { warm } from '@/api/queries/warm'
import { bookQuery, formsQuery } from '@/features/books/api/queries'
import { BookError, BookPage } from '@/features/books/components/book-page'
import { NotFound } from '@/features/shell/components/not-found'
import { SignedOut } from '@/features/shell/components/signed-out'
import { BOOK_NAMESPACES, i18n } from '@/i18n'

const isBookId = (id: string) => /^[1-9]\d{0,15}$/.test(id)

export const Route = createFileRoute('/_site/book/$id')({
  staticData: { title: 'books.page' },
  loader: async ({ context: { queryClient }, params: { id }, cause }) => {
    await i18n.loadNamespaces(BOOK_NAMESPACES)
    if (!isBookId(id) || !(await queryClient.ensureQueryData(userQuery()))) return
    await warm(cause, [
      queryClient.ensureQueryData(bookQuery(Number(id))),
      queryClient.ensureQueryData(getTradeOptions()),
      queryClient.ensureQueryData(formsQuery()),
    ])
  },
  component: Page,
  errorComponent: BookError,
})

const route = getRouteApi('/_site/book/$id')

function Page() {
  const { id } = route.useParams()
  const user = useUser()
  if (!user) return <SignedOut />
  if (!isBookId(id)) return <NotFound />
  return <BookPage key={id} id={Number(id)} />
}
