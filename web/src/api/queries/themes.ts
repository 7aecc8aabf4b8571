import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { listThemes, type ThemeOut } from '../generated'
import { listThemesOptions, listThemesQueryKey } from '../generated/@tanstack/react-query.gen'
import { nextCursor } from '../http/next-cursor'

/** Themes that the server returns per page. */
const A_PAGE = 100

/** Matches every list of themes. */
export const themeListsFilter = { queryKey: listThemesQueryKey() }

// by the ids of their calls alone: matches those of all themes
const single = ['getTheme', 'listThemeCovers', 'getSeries', 'getShelf', 'getNextVolume'].map((_id) => ({
  queryKey: [{ _id }],
}))

/** Refetches themes and what belongs to them; a single theme that is on screen only when the caller says so. */
export const invalidateThemes = (queryClient: QueryClient, refetchType: 'active' | 'none' = 'active') =>
  Promise.all([
    queryClient.invalidateQueries(themeListsFilter),
    ...single.map((filter) => queryClient.invalidateQueries({ ...filter, refetchType })),
  ])

/**
 * All of the reader's themes, and whether any of them are known yet. The newest come first; the rest are asked for only
 * where there are so many.
 */
export function useThemes(): { themes: readonly ThemeOut[]; known: boolean } {
  const { data: first } = useQuery(listThemesOptions())
  const more = first !== undefined && first.length >= A_PAGE
  const { data: all } = useQuery({ ...everyThemeQuery, enabled: more })
  return { themes: (more && all) || (first ?? []), known: first !== undefined }
}

/** One of the reader's themes, from their list. Who asks is built again only when this one changes. */
export function useListedTheme(id: number | null): ThemeOut | undefined {
  const select = (themes: readonly ThemeOut[]) => themes.find((theme) => theme.id === id)
  const recent = useQuery({ ...listThemesOptions(), select, enabled: id !== null })
  const isOlder = id !== null && recent.isSuccess && !recent.data
  const { data: older } = useQuery({ ...everyThemeQuery, select, enabled: isOlder })
  return recent.data ?? older
}

const everyThemeQuery = queryOptions({
  queryKey: listThemesQueryKey({ query: { limit: A_PAGE } }),
  queryFn: ({ signal }) => everyTheme(signal),
})

async function everyTheme(signal: AbortSignal): Promise<ThemeOut[]> {
  const themes: ThemeOut[] = []
  let cursor: string | undefined
  do {
    const query = { limit: A_PAGE, ...(cursor && { cursor }) }
    const { data, response } = await listThemes({ query, signal, throwOnError: true })
    themes.push(...data)
    cursor = nextCursor(response.headers.get('link'))
  } while (cursor)
  return themes
}
