import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { listUsers, type PersonOut } from '@/api/generated'
import { listUsersQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { pages } from '../queries'
import type { UserFilter } from './filter'

/** Users, newest first. */
export const usersQuery = (filter: UserFilter) =>
  pages(listUsersQueryKey({ query: filter }), ({ signal, query }) =>
    listUsers({ query: { ...filter, ...query }, signal, throwOnError: true }),
  )

export const refreshUsers = (queries: QueryClient) => queries.invalidateQueries({ queryKey: listUsersQueryKey() })

export const stopUsers = (queries: QueryClient) => queries.cancelQueries({ queryKey: listUsersQueryKey() })

type Pages = InfiniteData<{ rows: PersonOut[]; next: string | undefined }>

/** Shows somebody otherwise in every list that was fetched, without asking again: nobody vanishes while looked at. */
export function showUser(queries: QueryClient, id: number, change: Partial<PersonOut>): void {
  queries.setQueriesData<Pages>({ queryKey: listUsersQueryKey() }, (known) =>
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
