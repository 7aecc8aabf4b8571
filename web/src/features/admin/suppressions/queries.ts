import { type ListSuppressionsData, listSuppressions } from '@/api/generated'
import { listSuppressionsQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { pagedQuery } from '../api/queries'

type Wanted = Omit<NonNullable<ListSuppressionsData['query']>, 'cursor' | 'limit'>

export const REASONS = ['bounced', 'complained', 'unsubscribed'] as const

/** Which addresses to list, as an address of a page holds it. */
export type SuppressionSearch = { search?: string; reason?: string }
export type SuppressionFilter = { search?: string; reason?: (typeof REASONS)[number] }

/** Reads an address; what makes no sense is left out. */
export function suppressionFilter({ search, reason }: SuppressionSearch): SuppressionFilter {
  const known = REASONS.find((one) => one === reason)
  return { ...(search?.trim() && { search: search.slice(0, 320) }), ...(known && { reason: known }) }
}

export const suppressionsQuery = (filter: Wanted) =>
  pagedQuery(listSuppressionsQueryKey({ query: filter }), ({ signal, query }) =>
    listSuppressions({ query: { ...filter, ...query }, signal, throwOnError: true }),
  )

/** Where the same addresses are as a file. */
export const suppressionFile = (filter: SuppressionFilter) =>
  `/api/admin/suppressions/file?${new URLSearchParams(filter)}`
