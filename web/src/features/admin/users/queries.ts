import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ListTimelineData, listTimeline, listUsers, type PersonOut } from '@/api/generated'
import {
  getPersonOptions,
  getPersonQueryKey,
  listTimelineQueryKey,
  listUsersQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import { pagedQuery } from '../api/queries'
import type { UserFilter } from './user-filter'

/** Users, newest first. */
export const usersQuery = (filter: UserFilter) =>
  pagedQuery(listUsersQueryKey({ query: filter }), ({ signal, query }) =>
    listUsers({ query: { ...filter, ...query }, signal, throwOnError: true }),
  )

/** One user, asked for anew by each visit of their page. */
export const personQuery = (id: number) =>
  queryOptions({ ...getPersonOptions({ path: { user_id: id } }), staleTime: EACH_VISIT })

export type TimelineKind = NonNullable<NonNullable<ListTimelineData['query']>['kind']>
export const TIMELINE_KINDS = [
  'cover',
  'invoice',
  'email',
  'session',
  'history',
] as const satisfies readonly TimelineKind[]

/** What happened with a user, the latest first. */
export const timelineQuery = (id: number, kind: TimelineKind | undefined) =>
  pagedQuery(listTimelineQueryKey({ path: { user_id: id }, query: { kind } }), ({ signal, query }) =>
    listTimeline({ path: { user_id: id }, query: { kind, ...query }, signal, throwOnError: true }),
  )

export const invalidateTimeline = (queryClient: QueryClient, id: number) =>
  queryClient.invalidateQueries({ queryKey: listTimelineQueryKey({ path: { user_id: id } }) })

export const invalidateUsers = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: listUsersQueryKey() })

export const cancelUserQueries = (queryClient: QueryClient) =>
  queryClient.cancelQueries({ queryKey: listUsersQueryKey() })

type Pages = InfiniteData<{ rows: PersonOut[]; next: string | undefined }>

/** Updates a user in every cached list without refetching, so that the row does not vanish from a filtered list. */
export function updateCachedUser(queryClient: QueryClient, id: number, change: Partial<PersonOut>): void {
  queryClient.setQueryData<PersonOut>(getPersonQueryKey({ path: { user_id: id } }), (known) =>
    known ? { ...known, ...change } : known,
  )
  queryClient.setQueriesData<Pages>({ queryKey: listUsersQueryKey() }, (known) =>
    known
      ? {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            rows: page.rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
          })),
        }
      : known,
  )
}
