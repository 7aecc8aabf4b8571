import type { ListCoversData } from '@/api/generated'

export type CoverSort = NonNullable<NonNullable<ListCoversData['query']>['sort']>
/** What of the covers is shown. `theme` 0 means those without a theme; `bin` those that were thrown away. */
export type CoverFilter = { search: string; starred: boolean; theme: number | undefined; sort: CoverSort; bin: boolean }

/** The filter as an address holds it: what is not set has no part in it. */
export type GallerySearch = { search?: string; starred?: true; theme?: number; sort?: CoverSort; bin?: true }

export const sorts = ['newest', 'oldest', 'starred', 'title'] as const satisfies readonly CoverSort[]

/** The longest search the server takes. */
export const SEARCH_LENGTH = 100

export const NO_FILTER: CoverFilter = { search: '', starred: false, theme: undefined, sort: 'newest', bin: false }

export const isUnfiltered = ({ search, starred, theme, sort }: CoverFilter) =>
  !search && !starred && theme === undefined && sort === NO_FILTER.sort

/** Reads an address; what makes no sense is left out. */
export function validateGallerySearch(search: Record<string, unknown>): GallerySearch {
  const words = typeof search.search === 'number' ? String(search.search) : search.search
  const sort = sorts.find((known) => known === search.sort)
  return {
    ...(typeof words === 'string' && words.trim() && { search: words.slice(0, SEARCH_LENGTH) }),
    ...(search.starred === true && { starred: true }),
    ...(Number.isSafeInteger(search.theme) && Number(search.theme) >= 0 && { theme: Number(search.theme) }),
    ...(sort && sort !== NO_FILTER.sort && { sort }),
    ...(search.bin === true && { bin: true }),
  }
}

export const filterFromSearch = (search: GallerySearch): CoverFilter => ({ ...NO_FILTER, ...search })

/** The address of a filter; `gallerySearch` reads it. */
export const searchFromFilter = (filter: CoverFilter): GallerySearch => validateGallerySearch(filter)
