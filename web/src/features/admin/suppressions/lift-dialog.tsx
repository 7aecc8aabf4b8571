import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { liftSuppression } from '@/api/generated'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import type { REASONS } from './queries'

type Props = { id: number; email: string; reason: (typeof REASONS)[number]; onClose: () => void }

/** Says what it means that an address gets no email, and asks before it gets some again. */
export function LiftDialog({ id, email, reason, onClose }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const lift = useMutation({
    mutationFn: () => liftSuppression({ path: { suppression_id: id }, throwOnError: true }),
    onSuccess: async () => {
      onClose()
      toast({ title: t('admin.suppressions.lift.done', { email }) })
      // the list of addresses, that of users, and a user's page
      await queryClient.invalidateQueries()
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: errorMessage(error), variant: 'destructive' })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.suppressions.lift.title', { email })}
      description={t(`admin.suppressions.lift.${reason}`)}
      confirm={t('admin.suppressions.lift.action')}
      pending={lift.isPending}
      onConfirm={() => lift.mutate()}
    />
  )
}
