import { type InfiniteData, infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { type CoverDetails, type GenerationOut, listGenerations } from '@/api/generated'
import { listGenerationsInfiniteQueryKey, listGenerationsQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { nextCursor } from '@/api/http/next-cursor'
import { type Brief, NO_THEME, wordsOf } from '../model/brief'
import { trimSize } from '../model/formats'
import type { PreviewStyle } from '../preview/preview-style'

const PAGE_SIZE = 40

type HistoryPage = { lines: GenerationOut[]; next: string | undefined }

/** What was asked for before, newest first, page by page. */
export const historyQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: listGenerationsInfiniteQueryKey({ query: { limit: PAGE_SIZE, ...(search && { search }) } }),
    queryFn: async ({ signal, pageParam }): Promise<HistoryPage> => {
      const query = { limit: PAGE_SIZE, ...(search && { search }), ...(pageParam && { cursor: pageParam }) }
      const { data, response } = await listGenerations({ query, signal, throwOnError: true })
      return { lines: data, next: nextCursor(response.headers.get('link')) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
  })

/** Asks anew for every list of it that is on screen, and for the others when they are. */
export const invalidateHistory = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: listGenerationsQueryKey() })

/** What was asked for at once: one line for all its covers, in the order in which they were asked for. */
export type HistoryEntry = { first: GenerationOut; all: readonly GenerationOut[] }

/** Puts the covers of one request together. */
export function groupByRequest(pages: InfiniteData<HistoryPage> | undefined): HistoryEntry[] {
  const batches = new Map<string, GenerationOut[]>()
  for (const line of pages?.pages.flatMap(({ lines }) => lines) ?? []) {
    const batch = batches.get(line.batchId)
    if (batch) batch.unshift(line)
    else batches.set(line.batchId, [line])
  }
  return [...batches.values()].flatMap((all) => (all[0] ? [{ first: all[0], all }] : []))
}

/** Whether a line asked for a cover, and not for a change of one. */
export const isFirst = ({ refinedCoverId }: GenerationOut) => refinedCoverId === null

/** Earlier descriptions, the latest first, each once. */
export const earlierPrompts = (pages: InfiniteData<HistoryPage>) => [
  ...new Set(
    pages.pages
      .flatMap(({ lines }) => lines.filter(isFirst).map(({ prompt }) => prompt))
      .filter((prompt) => prompt.trim()),
  ),
]

type Remixed = Omit<Brief, 'useDefaultGenre' | 'service' | 'model' | 'count'>
type Measures = Pick<GenerationOut, 'dimensions' | 'customWidth' | 'customHeight'>

const typed = (inches: number | null) => (inches === null ? '' : String(inches))

/** What the form is filled with to ask for the same: everything but the seed. */
export function briefOf(line: GenerationOut | CoverDetails): Remixed {
  const words = 'cover' in line && 'composedPrompt' in line ? line.cover : line
  const { genre, themeId } = words
  return {
    prompt: line.prompt,
    ...wordsOf(words),
    genre,
    dimensions: line.dimensions,
    customWidth: typed(line.customWidth),
    customHeight: typed(line.customHeight),
    theme: themeId === null ? NO_THEME : String(themeId),
    lettersByModel: false,
    style: line.letteringStyle ?? '',
    elements: line.elements,
    seed: '',
  }
}

export const trimOf = ({ dimensions, customWidth, customHeight }: Measures) =>
  trimSize(dimensions, typed(customWidth), typed(customHeight))

export const previewStyleOf = (line: GenerationOut): PreviewStyle => ({
  words: wordsOf(line),
  genre: line.genre,
  trim: trimOf(line),
  themeId: line.themeId,
  style: line.letteringStyle ?? '',
})
