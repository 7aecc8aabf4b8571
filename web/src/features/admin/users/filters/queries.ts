import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteFilter, type SavedFilterOut, saveFilter } from '@/api/generated'
import { listSavedFiltersOptions } from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { type UserFilter, userFilter } from '../user-filter'

/** The filters that the administrator has saved, by name. */
export const savedFiltersQuery = () => queryOptions({ ...listSavedFiltersOptions(), staleTime: EACH_VISIT })

export const invalidateSavedFilters = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: savedFiltersQuery().queryKey })

/** What a saved filter asks for, as an address holds it. */
export const filterOf = ({ search, role, from, to, sort }: Omit<SavedFilterOut, 'id' | 'name'>): UserFilter =>
  userFilter({ search, role, sort, from: from ?? undefined, to: to ?? undefined })

/** Whether two filters ask for the same, in the same order. */
export const isSameFilter = (one: UserFilter, other: UserFilter) =>
  (['search', 'role', 'from', 'to', 'sort'] as const).every((key) => one[key]?.trim() === other[key]?.trim())

/** Saves what is asked for under a name; the server refuses one that is taken. */
export const sendFilter = async (name: string, filter: UserFilter) =>
  (await saveFilter({ body: { name, ...filter }, throwOnError: true })).data

/** Deletes a saved filter, and saves it again. A modal dialog hides toasts, so its page tells what was done. */
export function useDeleteFilter() {
  const queryClient = useQueryClient()
  const ending = { onSuccess: () => invalidateSavedFilters(queryClient), onError: useFailureToast() }
  const remove = useMutation({
    mutationFn: ({ id }: SavedFilterOut) => deleteFilter({ path: { filter_id: id }, throwOnError: true }),
    ...ending,
  })
  const restore = useMutation({
    mutationFn: (filter: SavedFilterOut) => sendFilter(filter.name, filterOf(filter)),
    ...ending,
  })
  return { remove, restore }
}
