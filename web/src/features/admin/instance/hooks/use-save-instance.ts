import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeInstance, createInstance, type InstanceOut, type ProviderOut } from '@/api/generated'
import { invalidateInstances } from '../../api/queries'
import type { Changes, InstanceForm } from '../setting-values'

export type SaveVariables = {
  values: InstanceForm
  changes: Changes
  checkToken: string | null
  force: boolean
  /** Puts a new instance first in the order of its kind. */
  first: boolean
}

/** Saves a new instance, or what was changed of one. */
export function useSaveInstance(provider: ProviderOut, instance: InstanceOut | undefined) {
  const queryClient = useQueryClient()
  return useMutation({
    gcTime: 0, // the variables hold secrets
    mutationFn: async ({ values, changes, checkToken, force, first }: SaveVariables): Promise<InstanceOut> => {
      const label = values.label.trim()
      const proof = { checkToken, force }
      if (!instance) {
        const { kind, id: name } = provider
        const id = values.id || null
        const body = { kind, provider: name, label, id, settings: changes, firstInRoute: first, ...proof }
        return (await createInstance({ body, throwOnError: true })).data
      }
      const body = {
        ...(label !== instance.label && { label }),
        ...(Object.keys(changes).length > 0 && { settings: changes, ...proof }),
      }
      return (await changeInstance({ path: { instance_id: instance.id }, body, throwOnError: true })).data
    },
    onSuccess: () => invalidateInstances(queryClient),
  })
}
