import type { ListUsersData } from '@/api/generated'

export type Role = NonNullable<NonNullable<ListUsersData['query']>['role']>

/** Whom to list, as an address holds it: what is not set has no part in it. */
export type UserFilter = { search?: string; role?: Exclude<Role, 'all'> }

export const ROLES = ['all', 'pro', 'admin', 'unconfirmed', 'inactive', 'suspended'] as const satisfies readonly Role[]

/** The longest search the server takes. */
export const SEARCH_LENGTH = 100

/** Reads an address; what makes no sense is left out. */
export function validateUserSearch(address: Record<string, unknown>): UserFilter {
  const words = typeof address.search === 'number' ? String(address.search) : address.search
  const role = ROLES.find((known) => known === address.role)
  return {
    ...(typeof words === 'string' && words.trim() && { search: words.slice(0, SEARCH_LENGTH) }),
    ...(role && role !== 'all' && { role }),
  }
}
