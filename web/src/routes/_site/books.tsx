import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { userQuery, useUser } from '@/api/queries/site'
import { warm } from '@/api/queries/warm'
import { bookPagesQuery } from '@/features/books/api/queries'
import { BooksPage } from '@/features/books/components/books-page'
import { MakeBook } from '@/features/books/components/make-book'
import { SignedOut } from '@/features/shell/components/signed-out'
import { BOOK_NAMESPACES, i18n } from '@/i18n'

/** `cover` is the one of which a book is to be made. */
type Search = { bin?: true; cover?: number }

export const Route = createFileRoute('/_site/books')({
  validateSearch: ({ bin, cover }: Record<string, unknown>): Search => ({
    ...(bin === true && { bin }),
    ...(Number(cover) > 0 && { cover: Number(cover) }),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps: { bin = false, cover }, cause }) => {
    await i18n.loadNamespaces(BOOK_NAMESPACES)
    if (cover !== undefined || !(await queryClient.ensureQueryData(userQuery()))) return
    await warm(cause, [queryClient.ensureInfiniteQueryData(bookPagesQuery(bin))])
  },
  staticData: { title: 'nav.books' },
  component: Page,
})

const route = getRouteApi('/_site/books')

function Page() {
  const { bin = false, cover } = route.useSearch()
  if (!useUser()) return <SignedOut />
  return cover === undefined ? <BooksPage key={String(bin)} bin={bin} /> : <MakeBook key={cover} coverId={cover} />
}
