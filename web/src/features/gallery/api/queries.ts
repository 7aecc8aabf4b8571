import { type InfiniteData, infiniteQueryOptions, keepPreviousData, useQuery } from '@tanstack/react-query'
import { type CoverOut, listCovers } from '@/api/generated'
import { getCapabilitiesOptions, listCoversInfiniteQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { nextCursor } from '@/api/http/next-cursor'
import { AGES, type CoverFilter } from '../cover-filter'

/** Covers asked for at a time: a multiple of one, two, three and four columns. */
const PAGE_SIZE = 24
const DAY = 86_400_000

/** What is asked of the server; what is not set is left out, so that the plain list has one address. */
function asked({ search, starred, theme, genre, format, service, age, sort, bin }: CoverFilter) {
  if (bin) return { bin, limit: PAGE_SIZE }
  return {
    sort,
    limit: PAGE_SIZE,
    ...(search && { search }),
    ...(starred && { starred }),
    ...(theme !== undefined && { theme }),
    ...(genre && { genre }),
    ...(format && { dimensions: format }),
    ...(service && { provider: service }),
    ...(age && { since: daysAgo(AGES[age]) }),
  }
}

/** The day so many days ago, in UTC. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)

type CoverPage = { covers: CoverOut[]; next: string | undefined }
export type CoverPages = InfiniteData<CoverPage>

export const flattenCovers = (pages: CoverPages | undefined) => pages?.pages.flatMap(({ covers }) => covers) ?? []

/** The covers of a filter, page by page; those of the filter before stay until the new ones are there. */
export const coverPagesQuery = (filter: CoverFilter) =>
  infiniteQueryOptions({
    queryKey: listCoversInfiniteQueryKey({ query: asked(filter) }),
    queryFn: async ({ signal, pageParam }): Promise<CoverPage> => {
      const query = { ...asked(filter), ...(pageParam && { cursor: pageParam }) }
      const { data, response } = await listCovers({ query, signal, throwOnError: true })
      return { covers: data, next: nextCursor(response.headers.get('link')) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
  })

/** For so many days a deleted cover can be brought back; undefined until the server has said so. */
export function useBinRetentionDays(): number | undefined {
  return useQuery({ ...getCapabilitiesOptions(), select: ({ binDays }) => binDays }).data
}
