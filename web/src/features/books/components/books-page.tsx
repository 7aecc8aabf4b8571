import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, RotateCcw, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { BookLine } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Book } from '@/ui/cover/book'
import { Tooltip } from '@/ui/overlay/tooltip'
import { QueryError } from '@/ui/query/query-error'
import { EmptyState, Skeleton } from '@/ui/states'
import { useDeleteBook, useRestoreBook } from '../api/mutations'
import { bookPagesQuery } from '../api/queries'

const GRID = 'grid grid-cols-2 gap-x-5 gap-y-9 sm:grid-cols-3 lg:grid-cols-4'
const KEYS = ['a', 'b', 'c', 'd', 'e']

/** All books of the reader, or those in the bin. */
export function BooksPage({ bin }: { bin: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-8 lg:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h1 className="display text-3xl">{t(bin ? 'books.bin.title' : 'books.title')}</h1>
        <Button asChild variant="ghost" size="sm">
          <Link to="/books" search={bin ? {} : { bin: true as const }}>
            {bin ? <ArrowLeft aria-hidden className="rtl:-scale-x-100" /> : <Trash2 aria-hidden />}
            {t(bin ? 'books.bin.back' : 'books.bin.open')}
          </Link>
        </Button>
      </div>
      {!bin && <p className="mt-2 max-w-2xl text-sm text-ink-2">{t('books.lead')}</p>}
      <div className="mt-8">
        <Shelf bin={bin} />
      </div>
    </div>
  )
}

function Shelf({ bin }: { bin: boolean }) {
  const { t } = useTranslation()
  const pages = useInfiniteQuery(bookPagesQuery(bin))
  if (pages.isPending) {
    return (
      <div role="status" aria-label={t('common.loading')} className={GRID}>
        {KEYS.map((key) => (
          <Skeleton key={key} className="h-64" />
        ))}
      </div>
    )
  }
  if (!pages.data) return <QueryError title={t('books.loadFailed')} query={pages} />
  const books = pages.data.pages.flatMap((page) => page.books)
  if (books.length === 0) {
    return bin ? (
      <EmptyState title={t('books.bin.empty')} />
    ) : (
      <EmptyState
        title={t('books.empty.title')}
        body={t('books.empty.body')}
        action={
          <Button asChild>
            <Link to="/gallery" hash="gallery">
              {t('books.empty.action')}
            </Link>
          </Button>
        }
      />
    )
  }
  return (
    <>
      <ul className={GRID}>
        {books.map((book) => (
          <Tile key={book.id} book={book} bin={bin} />
        ))}
      </ul>
      {pages.hasNextPage && (
        <div className="mt-10 flex justify-center">
          <Button variant="outline" pending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('books.more')}
          </Button>
        </div>
      )}
    </>
  )
}

function Tile({ book, bin }: { book: BookLine; bin: boolean }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const remove = useDeleteBook()
  const restore = useRestoreBook()
  const { cover, editions, ready } = book
  const state = t('books.ready', { count: editions.length, ready: number(ready), formatted: number(editions.length) })
  const picture = (
    <Book title={book.title} author={book.authors} src={cover?.thumbnailUrl} alt="" lift={!bin} className="w-full" />
  )
  const words = (
    <>
      <span className="mt-3 block truncate font-medium" dir="auto">
        {book.title}
      </span>
      {book.series && (
        <span className="block truncate text-note text-ink-2" dir="auto">
          {book.number ? `${book.series} · ${book.number}` : book.series}
        </span>
      )}
    </>
  )
  return (
    <li className="min-w-0">
      {bin ? (
        <div style={{ opacity: 0.7 }}>
          {picture}
          {words}
        </div>
      ) : (
        <Link to="/book/$id" params={{ id: String(book.id) }} className="group block rounded-sm">
          {picture}
          {words}
        </Link>
      )}
      <div className="mt-1 flex items-center justify-between gap-2">
        <span className="min-w-0 truncate text-note text-ink-3">{state}</span>
        <Tooltip text={t(bin ? 'books.bin.restore' : 'books.delete')}>
          <Button
            variant="ghost"
            size="icon-sm"
            className="size-9"
            aria-label={t(bin ? 'books.bin.restoreNamed' : 'books.deleteNamed', { title: book.title })}
            pending={remove.isPending || restore.isPending}
            onClick={() => (bin ? restore.mutate(book.id) : remove.mutate(book))}
          >
            {bin ? <RotateCcw className="rtl:-scale-x-100" /> : <Trash2 />}
          </Button>
        </Tooltip>
      </div>
    </li>
  )
}
