import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deleteFilter, type SavedFilterOut, saveFilter } from '@/api/generated'
import { listSavedFiltersOptions } from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import { toast } from '@/ui/overlay/toast-store'
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

/** Deletes a saved filter, and offers to save it again. */
export function useDeleteFilter() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const restore = useMutation({
    mutationFn: (filter: SavedFilterOut) => sendFilter(filter.name, filterOf(filter)),
    onSuccess: () => invalidateSavedFilters(queryClient),
    onError: fail,
  })
  return useMutation({
    mutationFn: ({ id }: SavedFilterOut) => deleteFilter({ path: { filter_id: id }, throwOnError: true }),
    onSuccess: (_, filter) => {
      toast({
        title: t('admin.users.filters.deleted', { name: filter.name }),
        action: { label: t('admin.audit.restore.undo'), onClick: () => restore.mutate(filter) },
      })
      return invalidateSavedFilters(queryClient)
    },
    onError: fail,
  })
}
