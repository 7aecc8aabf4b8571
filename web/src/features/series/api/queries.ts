import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getShelfDrift, type LookPreview, previewLook } from '@/api/generated'
import { getSeriesOptions, getShelfOptions } from '@/api/generated/@tanstack/react-query.gen'

/** Previews asked for at a time: as many as the server makes in one call. */
const AT_ONCE = 4

const pathOf = (themeId: number) => ({ path: { theme_id: themeId } })

/** The covers of a theme beside its look. */
export const seriesQuery = (themeId: number) => queryOptions(getSeriesOptions(pathOf(themeId)))

/** The volumes of a theme in the order of their numbers. */
export const shelfQuery = (themeId: number) => queryOptions(getShelfOptions(pathOf(themeId)))

/** In what their spines differ. `version` changes with each of them. */
export const shelfDriftQuery = (themeId: number, version: string) =>
  queryOptions({
    queryKey: ['series', 'spines', themeId, version],
    queryFn: async ({ signal }) => (await getShelfDrift({ ...pathOf(themeId), signal, throwOnError: true })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Covers as they would be in the look of their theme, some at a time. `version` changes with the look and the covers. */
export const previewPagesQuery = (themeId: number, coverIds: readonly number[], version: string) =>
  infiniteQueryOptions({
    queryKey: ['series', 'previews', themeId, version, coverIds],
    queryFn: async ({ signal, pageParam }): Promise<LookPreview[]> => {
      const body = { coverIds: coverIds.slice(pageParam, pageParam + AT_ONCE) }
      return (await previewLook({ ...pathOf(themeId), body, signal, throwOnError: true })).data
    },
    initialPageParam: 0,
    getNextPageParam: (_, pages) => (pages.length * AT_ONCE < coverIds.length ? pages.length * AT_ONCE : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
