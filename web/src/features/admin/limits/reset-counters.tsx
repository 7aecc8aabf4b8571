import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { resetAllGenerations } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { invalidateUsage } from './queries'

/** Sets everybody's count of this month to zero, once that is confirmed. */
export function ResetCounters() {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const tellFailure = useFailureToast(t('admin.limits.reset.failed'))
  const reset = useMutation({
    mutationFn: async () => (await resetAllGenerations({ throwOnError: true })).data,
    onSuccess: async ({ users }) => {
      toast({ title: t('admin.limits.reset.done', { count: users, formatted: format.number(users) }) })
      await invalidateUsage(queryClient)
    },
    onError: tellFailure,
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button variant="outline" className="text-danger" pending={reset.isPending} onClick={() => setAsking(true)}>
        {!reset.isPending && <RotateCcw aria-hidden />}
        {t('admin.limits.reset.action')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('admin.limits.reset.confirmTitle')}
        description={t('admin.limits.reset.confirmBody')}
        confirm={t('admin.limits.reset.confirm')}
        destructive
        pending={reset.isPending}
        onConfirm={() => reset.mutate()}
      />
    </>
  )
}
