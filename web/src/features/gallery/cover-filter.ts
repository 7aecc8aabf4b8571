import type { ListCoversData } from '@/api/generated'

export type CoverSort = NonNullable<NonNullable<ListCoversData['query']>['sort']>
export type CoverFormat = NonNullable<NonNullable<ListCoversData['query']>['dimensions']>
/** How old covers may be at most, in days. */
export const AGES = { week: 7, month: 30, year: 365 } as const
export type CoverAge = keyof typeof AGES
export const ages = Object.keys(AGES) as readonly CoverAge[]

/**
 * What of the covers is shown. `theme` 0 means those without a theme; `service` is the name of an image service; `bin`
 * those that were thrown away.
 */
export type CoverFilter = {
  search: string
  starred: boolean
  theme: number | undefined
  genre: string | undefined
  format: CoverFormat | undefined
  service: string | undefined
  age: CoverAge | undefined
  sort: CoverSort
  bin: boolean
}

/** The filter as an address holds it: what is not set has no part in it. */
export type GallerySearch = {
  search?: string
  starred?: true
  theme?: number
  genre?: string
  format?: CoverFormat
  service?: string
  age?: CoverAge
  sort?: CoverSort
  bin?: true
}

const formats = ['6x9', '8.5x11', '8x8', 'custom', '5.5x8.5', '1024x1792'] as const satisfies readonly CoverFormat[]

export const sorts = ['newest', 'oldest', 'starred', 'title'] as const satisfies readonly CoverSort[]

/** The longest search the server takes. */
export const SEARCH_LENGTH = 100

export const NO_FILTER: CoverFilter = {
  search: '',
  starred: false,
  theme: undefined,
  genre: undefined,
  format: undefined,
  service: undefined,
  age: undefined,
  sort: 'newest',
  bin: false,
}

/** Whether one of the further filters is set, which are folded away otherwise. */
export const isNarrowed = ({ genre, format, service, age }: CoverFilter) =>
  [genre, format, service, age].some((value) => value !== undefined)

export const isUnfiltered = (filter: CoverFilter) => {
  const { search, starred, theme, sort } = filter
  return !search && !starred && theme === undefined && sort === NO_FILTER.sort && !isNarrowed(filter)
}

/** The longest names the server takes. */
const NAMES = { genre: 50, service: 64 } as const

/** A text of an address, which may have been read as a number. */
const textIn = (value: unknown, most: number) => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() ? text.slice(0, most) : undefined
}

/** Reads an address; what makes no sense is left out. */
export function validateGallerySearch(search: Record<string, unknown>): GallerySearch {
  const words = textIn(search.search, SEARCH_LENGTH)
  const genre = textIn(search.genre, NAMES.genre)
  const service = textIn(search.service, NAMES.service)
  const format = formats.find((known) => known === search.format)
  const age = ages.find((known) => known === search.age)
  const sort = sorts.find((known) => known === search.sort)
  return {
    ...(words && { search: words }),
    ...(search.starred === true && { starred: true }),
    ...(Number.isSafeInteger(search.theme) && Number(search.theme) >= 0 && { theme: Number(search.theme) }),
    ...(genre && { genre }),
    ...(format && { format }),
    ...(service && { service }),
    ...(age && { age }),
    ...(sort && sort !== NO_FILTER.sort && { sort }),
    ...(search.bin === true && { bin: true }),
  }
}

export const filterFromSearch = (search: GallerySearch): CoverFilter => ({ ...NO_FILTER, ...search })

/** The address of a filter; `gallerySearch` reads it. */
export const searchFromFilter = (filter: CoverFilter): GallerySearch => validateGallerySearch(filter)
