import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  changeInstance,
  deleteInstance,
  type InstanceChange,
  type InstanceOut,
  type RouteIn,
  type RouteOut,
  saveRoute,
} from '@/api/generated'
import { listRoutesQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { toast } from '@/ui/overlay/toast-store'
import { invalidateInstances } from '../api/queries'
import { useFailureToast } from '../hooks/use-failure-toast'
import type { Kind } from '../types'

/** Saves the order of a kind. The page shows it at once, and as it was again when it could not be saved. */
export function useSaveFailoverOrder(kind: Kind) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const show = (change: (route: RouteOut) => RouteOut) =>
    queryClient.setQueryData<RouteOut[]>(listRoutesQueryKey(), (routes) =>
      routes?.map((route) => (route.kind === kind ? change(route) : route)),
    )
  return useMutation({
    // one after the other, so that the last order has the last word
    scope: { id: `route-${kind}` },
    mutationFn: async (body: RouteIn) => (await saveRoute({ path: { kind }, body, throwOnError: true })).data,
    onMutate: async (body) => {
      await queryClient.cancelQueries({ queryKey: listRoutesQueryKey() })
      const before = queryClient.getQueryData<RouteOut[]>(listRoutesQueryKey())
      show((route) => ({ ...route, ...body }))
      return before?.find((route) => route.kind === kind)
    },
    onSuccess: () => toast({ title: t('admin.providers.order.saved'), description: t('admin.providers.live') }),
    onError: (error, _, before) => {
      if (before) show(() => before)
      fail(error)
    },
    onSettled: () => invalidateInstances(queryClient),
  })
}

export function useChangeInstance({ id }: Pick<InstanceOut, 'id'>) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: (body: InstanceChange) => changeInstance({ path: { instance_id: id }, body, throwOnError: true }),
    onSuccess: async () => {
      toast({ title: t('admin.saved'), description: t('admin.providers.live') })
      await invalidateInstances(queryClient)
    },
    onError: fail,
  })
}

export function useDeleteInstance({ id, label }: Pick<InstanceOut, 'id' | 'label'>) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => deleteInstance({ path: { instance_id: id }, throwOnError: true }),
    onSuccess: async () => {
      toast({ title: t('admin.providers.delete.done', { label }) })
      await invalidateInstances(queryClient)
    },
  })
}
