import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { removeAuthenticatorApp, removePasskey } from '@/api/generated'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toastFailure, useChangedFactors } from './use-changed-factors'

export type Removable = { kind: 'app' } | { kind: 'passkey'; id: number; name: string }

type Props = { factor: Removable; isLast: boolean; onClose: () => void }

/** Asks before a second factor goes. */
export function RemoveDialog({ factor, isLast, onClose }: Props) {
  const { t } = useTranslation()
  const changed = useChangedFactors()
  const remove = useMutation({
    mutationFn: () =>
      factor.kind === 'app'
        ? removeAuthenticatorApp({ throwOnError: true })
        : removePasskey({ path: { passkey_id: factor.id }, throwOnError: true }),
    onSuccess: async () => {
      await changed()
      onClose()
    },
    onError: (error) => {
      toastFailure(error)
      return changed()
    },
  })
  const name = factor.kind === 'app' ? t('secondFactor.way.totp') : factor.name
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('secondFactor.removeTitle', { name })}
      description={t(isLast ? 'secondFactor.removeLast' : 'secondFactor.removeBody')}
      confirm={t('secondFactor.remove')}
      destructive
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  )
}
