import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type Lettering,
  layOutLettering,
  listLetteringFaces,
  measureCoverLettering,
  previewLetteringStyles,
} from '@/api/generated'
import { getCoverLetteringOptions, listLetteringStylesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import { textsOf } from '../model/lettering'

/** Styles seen at a time. */
const STYLES = 8

/** The words on a cover, and their versions. */
export const letteringQuery = (id: number) =>
  queryOptions({ ...getCoverLetteringOptions({ path: { cover_id: id } }), staleTime: EACH_VISIT })

/** The styles to choose from, those for a genre first. */
export const stylesQuery = (genre: string) =>
  queryOptions({ ...listLetteringStylesOptions({ query: { genre } }), staleTime: Number.POSITIVE_INFINITY })

const KEPT = {
  placeholderData: keepPreviousData,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
} as const

/** The outlines of a lettering, as the composed picture will have them; the last ones until others have come. */
export const outlinesQuery = (lettering: Lettering, width: number, height: number) =>
  queryOptions({
    ...KEPT,
    // the artwork has no part in them
    queryKey: ['studio', 'outlines', lettering.language, lettering.blocks, width, height],
    queryFn: async () => {
      const { data } = await layOutLettering({ body: { lettering, width, height }, throwOnError: true })
      return data
    },
  })

/** How well a lettering can be read on the picture of a cover. */
export const measuresQuery = (id: number, lettering: Lettering) =>
  queryOptions({
    ...KEPT,
    queryKey: ['studio', 'measures', id, lettering],
    queryFn: async () => {
      const { data } = await measureCoverLettering({
        path: { cover_id: id },
        body: { lettering },
        throwOnError: true,
      })
      return data
    },
  })

/** The faces to pick from for a text. */
export const facesQuery = (text: string, language: string) =>
  queryOptions({
    ...KEPT,
    queryKey: ['studio', 'faces', text, language],
    queryFn: async () => {
      const { data } = await listLetteringFaces({ body: { text, language }, throwOnError: true })
      return data
    },
  })

/** The words of a lettering in style after style, on the picture of a cover. */
export const previewsQuery = (id: number, lettering: Lettering, styles: readonly string[]) =>
  infiniteQueryOptions({
    queryKey: [
      'studio',
      'previews',
      id,
      textsOf(lettering),
      lettering.artwork,
      lettering.blocks?.map(({ held }) => held),
      styles,
    ],
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await previewLetteringStyles({
        path: { cover_id: id },
        body: { lettering, styles: styles.slice(pageParam, pageParam + STYLES) },
        signal,
        throwOnError: true,
      })
      return data
    },
    initialPageParam: 0,
    getNextPageParam: (_, pages) => (pages.length * STYLES < styles.length ? pages.length * STYLES : undefined),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
