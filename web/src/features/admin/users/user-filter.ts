import type { ListUsersData } from '@/api/generated'

export type Role = NonNullable<NonNullable<ListUsersData['query']>['role']>

/** Whom to list, as an address holds it: what is not set has no part in it. `from` and `to` are days of the sign-up. */
export type UserFilter = {
  search?: string
  role?: Exclude<Role, 'all'>
  from?: string
  to?: string
  sort?: Exclude<Sort, 'newest'>
}

type Sort = NonNullable<NonNullable<ListUsersData['query']>['sort']>
export const SORTS = ['newest', 'email', 'seen'] as const satisfies readonly Sort[]

type Address = { [key in keyof UserFilter]?: string }

export const ROLES = [
  'all',
  'pro',
  'paying',
  'gift',
  'past_due',
  'customer',
  'admin',
  'unconfirmed',
  'suppressed',
  'inactive',
  'suspended',
] as const satisfies readonly Role[]

/** The longest search the server takes. */
export const SEARCH_LENGTH = 100

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Reads an address; what makes no sense is left out. */
export function userFilter({ search, from, to, ...address }: Address): UserFilter {
  const sort = SORTS.find((known) => known === address.sort)
  const role = ROLES.find((known) => known === address.role)
  return {
    ...(search?.trim() && { search: search.slice(0, SEARCH_LENGTH) }),
    ...(role && role !== 'all' && { role }),
    ...(sort && sort !== 'newest' && { sort }),
    ...(from && DAY.test(from) && { from }),
    ...(to && DAY.test(to) && { to }),
  }
}

/** Where the same users are as a file. */
export const userFile = (filter: UserFilter) => `/api/admin/users/file?${new URLSearchParams(filter)}`
