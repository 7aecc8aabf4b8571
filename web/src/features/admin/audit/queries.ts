import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ListAuditData, listAudit } from '@/api/generated'
import { getAuditEntryOptions, listAuditQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import { pagedQuery } from '../api/queries'

/** What stands before the dot of actions. */
export const AREAS = [
  'access',
  'admin',
  'budget',
  'carousel',
  'email',
  'figures',
  'files',
  'identity',
  'instance',
  'limits',
  'payment',
  'plugin',
  'route',
  'seo',
  'session',
  'setting',
  'sign_in_policy',
  'text',
  'usage',
  'user',
  'webhook',
] as const

type Key = 'area' | 'object' | 'actorId' | 'from' | 'to' | 'values'
/** What to list, as an address holds it. */
export type AuditSearch = { [key in Key]?: string }
export type AuditFilter = Omit<NonNullable<ListAuditData['query']>, 'cursor' | 'limit'>

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Reads an address; what makes no sense is left out. */
export function auditFilter({ area, object, actorId, from, to, values }: AuditSearch): AuditFilter {
  const id = Number(actorId)
  return {
    area: AREAS.find((known) => known === area),
    ...(object?.trim() && { object: object.trim() }),
    ...(Number.isSafeInteger(id) && id > 0 && { actorId: id }),
    ...(from && DAY.test(from) && { from }),
    ...(to && DAY.test(to) && { to }),
    ...(values === 'true' && { values: true }),
  }
}

export const auditQuery = (filter: AuditFilter) =>
  pagedQuery(listAuditQueryKey({ query: filter }), ({ signal, query }) =>
    listAudit({ query: { ...filter, ...query }, signal, throwOnError: true }),
  )

export const entryQuery = (id: number) =>
  queryOptions({ ...getAuditEntryOptions({ path: { entry_id: id } }), staleTime: EACH_VISIT })

/** Restoring changes settings that any page may show. */
export const invalidateRestored = (queryClient: QueryClient) => queryClient.invalidateQueries()

/** Where the same entries are as a file. */
export function auditFile(filter: AuditFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== null)
  return `/api/admin/audit/file?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}
