import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { listUsers, type PersonOut } from '@/api/generated'
import { listUsersQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { pagedQuery } from '../api/queries'
import type { UserFilter } from './user-filter'

/** Users, newest first. */
export const usersQuery = (filter: UserFilter) =>
  pagedQuery(listUsersQueryKey({ query: filter }), ({ signal, query }) =>
    listUsers({ query: { ...filter, ...query }, signal, throwOnError: true }),
  )

export const invalidateUsers = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: listUsersQueryKey() })

export const cancelUserQueries = (queryClient: QueryClient) =>
  queryClient.cancelQueries({ queryKey: listUsersQueryKey() })

type Pages = InfiniteData<{ rows: PersonOut[]; next: string | undefined }>

/** Updates a user in every cached list without refetching, so that the row does not vanish from a filtered list. */
export function updateCachedUser(queryClient: QueryClient, id: number, change: Partial<PersonOut>): void {
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
