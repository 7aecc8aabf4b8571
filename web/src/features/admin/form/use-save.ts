import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeInstance, createInstance, type InstanceOut, type ProviderOut } from '@/api/generated'
import { refreshInstances } from '../queries'
import type { InstanceForm } from './settings-fields'
import type { Changes } from './values'

export type Saving = { values: InstanceForm; changes: Changes; checkToken: string | null; force: boolean }

/** Saves a new instance, or what was changed of one. */
export function useSave(provider: ProviderOut, instance: InstanceOut | undefined) {
  const queries = useQueryClient()
  return useMutation({
    gcTime: 0, // the variables hold secrets
    mutationFn: async ({ values, changes, checkToken, force }: Saving): Promise<InstanceOut> => {
      const label = values.label.trim()
      const proof = { checkToken, force }
      if (!instance) {
        const { kind, id: name } = provider
        const id = values.id || null
        const body = { kind, provider: name, label, id, settings: changes, ...proof }
        return (await createInstance({ body, throwOnError: true })).data
      }
      const body = {
        ...(label !== instance.label && { label }),
        ...(Object.keys(changes).length > 0 && { settings: changes, ...proof }),
      }
      return (await changeInstance({ path: { instance_id: instance.id }, body, throwOnError: true })).data
    },
    onSuccess: () => refreshInstances(queries),
  })
}
