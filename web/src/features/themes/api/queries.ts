import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type CoverOut, getTheme, listThemeCovers, listThemes, type ThemeOut } from '@/api/generated'
import {
  getThemeQueryKey,
  listThemeCoversInfiniteQueryKey,
  listThemesInfiniteQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { nextCursor } from '@/api/http/next-cursor'

/** Themes asked for at a time: a multiple of one, two and three columns. */
const THEMES = 12
/** Covers asked for at a time: a multiple of one, two, three and four columns. */
const COVERS = 24

type Page<Row> = { rows: Row[]; next: string | undefined }

export const flattenPages = <Row>(pages: InfiniteData<Page<Row>> | undefined): Row[] =>
  pages?.pages.flatMap(({ rows }) => rows) ?? []

const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: <Row>(last: Page<Row>) => last.next,
}

/** The reader's themes, newest first, page by page. */
export const themePagesQuery = () =>
  infiniteQueryOptions({
    ...paging,
    queryKey: listThemesInfiniteQueryKey({ query: { limit: THEMES } }),
    queryFn: async ({ signal, pageParam }): Promise<Page<ThemeOut>> => {
      const query = { limit: THEMES, ...(pageParam && { cursor: pageParam }) }
      const { data, response } = await listThemes({ query, signal, throwOnError: true })
      return { rows: data, next: nextCursor(response.headers.get('link')) }
    },
  })

/** One theme. */
export const themeQuery = (id: number) => {
  const path = { theme_id: id }
  return queryOptions({
    queryKey: getThemeQueryKey({ path }),
    queryFn: async ({ signal }): Promise<ThemeOut> => (await getTheme({ path, signal, throwOnError: true })).data,
  })
}

/** The covers of a theme, newest first, page by page. */
export const themeCoverPagesQuery = (id: number) => {
  const path = { theme_id: id }
  return infiniteQueryOptions({
    ...paging,
    queryKey: listThemeCoversInfiniteQueryKey({ path, query: { limit: COVERS } }),
    queryFn: async ({ signal, pageParam }): Promise<Page<CoverOut>> => {
      const query = { limit: COVERS, ...(pageParam && { cursor: pageParam }) }
      const { data, response } = await listThemeCovers({ path, query, signal, throwOnError: true })
      return { rows: data, next: nextCursor(response.headers.get('link')) }
    },
  })
}
