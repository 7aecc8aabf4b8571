import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { FreeFiles, GetFreeFilesData } from '@/api/generated'
import { client } from '@/api/generated/client.gen'
import { SwitchField } from '@/ui/form/switch-field'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'

const ADDRESS: GetFreeFilesData['url'] = '/api/admin/free-files'
const KEY = ['admin', 'free-files']

/** Whether the free plan gets the files that printers take. */
export function FreeFilesSwitch() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await client.get<{ 200: FreeFiles }, unknown, true>({ url: ADDRESS, signal, throwOnError: true })).data,
  })
  const save = useMutation({
    mutationFn: async (freePrintFiles: boolean) =>
      (
        await client.put<{ 200: FreeFiles }, unknown, true>({
          url: ADDRESS,
          body: { freePrintFiles },
          headers: { 'Content-Type': 'application/json' },
          throwOnError: true,
        })
      ).data,
    onSuccess: (saved) => {
      queryClient.setQueryData(KEY, saved)
      toast({ title: t('admin.saved') })
    },
    onError: useFailureToast(t('admin.limits.failed')),
  })
  if (!data) return null
  return (
    <SwitchField
      label={t('admin.limits.freeFiles')}
      hint={t('admin.limits.freeFilesHint')}
      checked={save.isPending ? save.variables : data.freePrintFiles}
      onChange={(checked) => save.mutate(checked)}
    />
  )
}
