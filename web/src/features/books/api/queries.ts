import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type BookOut, getSpine, type PackOut, type TradeBinding } from '@/api/generated'
import { EACH_VISIT } from '@/api/queries/warm'
import { getBook, getPack, listBooks, listForms, previewEdition } from './calls'

const PAGE = 24
/** How often one looks how far the files are, in milliseconds. */
const LOOK_AGAIN = 1_000

export const isOpen = (pack: PackOut | null | undefined) => pack?.status === 'pending' || pack?.status === 'processing'

/** Matches every list of books. */
export const bookListsFilter = { queryKey: ['books', 'list'] }

export const bookQuery = (id: number) =>
  queryOptions({
    queryKey: ['books', 'one', id],
    queryFn: async ({ signal }) => (await getBook({ path: { book_id: id }, signal })).data,
    staleTime: EACH_VISIT,
  })

/** The trade forms that an edition can have. */
export const formsQuery = () =>
  queryOptions({
    queryKey: ['books', 'forms'],
    queryFn: async ({ signal }) => (await listForms({ signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The cursor in a Link header; undefined on the last page. */
const cursorIn = (link: string | null) => /[?&]cursor=([^&>]+)/.exec(link ?? '')?.[1]

/** Books, newest first, or those in the bin. */
export const bookPagesQuery = (bin: boolean) =>
  infiniteQueryOptions({
    queryKey: [...bookListsFilter.queryKey, bin],
    queryFn: async ({ pageParam, signal }) => {
      const query = { bin, limit: PAGE, ...(pageParam && { cursor: pageParam }) }
      const { data, response } = await listBooks({ query, signal })
      return { books: data, cursor: cursorIn(response.headers.get('link')) }
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: EACH_VISIT,
  })

/** Where a pack stands; looked at again until it has ended. */
export const packQuery = (pack: PackOut | null) =>
  queryOptions({
    queryKey: ['books', 'pack', pack?.id],
    queryFn: async ({ signal }) => (await getPack({ path: { pack_id: pack?.id ?? '' }, signal })).data,
    enabled: pack !== null,
    ...(pack && { initialData: pack }),
    refetchInterval: ({ state }) => (isOpen(state.data) ? LOOK_AGAIN : false),
  })

export type SheetQuestion = {
  printer: string
  binding: string
  trim: string
  pages: string
  paper: string
  spine: string
  direction: string
} & Partial<Record<TradeBinding['asks'][number], string>>

/** The sheet of a cover; the last one stays until the next has come. */
export const sheetQuery = (asked: SheetQuestion | undefined) =>
  queryOptions({
    queryKey: ['books', 'sheet', asked],
    queryFn: async ({ signal }) => {
      if (!asked) return null
      const { data } = await getSpine({ query: asked, signal, throwOnError: true })
      return data
    },
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The whole cover of an edition as the press draws it, of this version of the book, its cover, and what was painted. */
export const previewQuery = (book: BookOut, name: string, paintedAt: string | undefined, enabled: boolean) =>
  queryOptions({
    queryKey: ['books', 'preview', book.id, book.version, book.cover?.imageUrl, paintedAt, name],
    queryFn: async ({ signal }) => {
      const path = { book_id: book.id, name }
      return (await previewEdition({ path, query: { width: 1600 }, signal })).data
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 120_000,
    retry: false,
  })
