import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { FormAlert } from '@/ui/form/form-alert'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { useChangeUser, useDeleteUser, useEndSessions, useRemoveFactors } from './mutations'

type Props = { person: PersonOut; isMe: boolean; onClose: () => void }

/** Asks before an account is deleted, by its address. */
export function DeleteUserDialog({ person, isMe, onClose, onDeleted = onClose }: Props & { onDeleted?: () => void }) {
  const { t } = useTranslation()
  const remove = useDeleteUser(person, onDeleted)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.users.delete.title', { email: person.email })}
      description={t('admin.users.delete.body')}
      confirm={t('admin.users.delete.action')}
      destructive
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {isMe && <FormAlert>{t('admin.users.delete.own')}</FormAlert>}
    </ConfirmDialog>
  )
}

/** Asks before an administrator gives up their own rights, which only another administrator can give back. */
export function ResignDialog({ person, onClose }: Omit<Props, 'isMe'>) {
  const { t } = useTranslation()
  const change = useChangeUser(person)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.users.admin.resign.title')}
      description={t('admin.users.admin.resign.body')}
      confirm={t('admin.users.admin.resign.confirm')}
      destructive
      pending={change.isPending}
      onConfirm={() => change.mutate({ isAdmin: false }, { onSettled: onClose })}
    />
  )
}

/** Asks before a user is kept out. */
export function SuspendDialog({ person, onClose }: Omit<Props, 'isMe'>) {
  const { t } = useTranslation()
  const change = useChangeUser(person)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.users.suspend.title', { email: person.email })}
      description={t('admin.users.suspend.body')}
      confirm={t('admin.users.suspend.action')}
      destructive
      pending={change.isPending}
      onConfirm={() => change.mutate({ disabled: true }, { onSettled: onClose })}
    />
  )
}

/** Asks before a user is signed out everywhere. */
export function EndSessionsDialog({ person, isMe, onClose }: Props) {
  const { t } = useTranslation()
  const end = useEndSessions(person)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.users.sessions.title', { email: person.email })}
      description={t(isMe ? 'admin.users.sessions.own' : 'admin.users.sessions.body')}
      confirm={t('admin.users.sessions.action')}
      pending={end.isPending}
      onConfirm={() => end.mutate(undefined, { onSettled: onClose })}
    />
  )
}

/** Asks before the second factors of a user who has lost them go. */
export function RemoveFactorsDialog({ person, onClose }: Omit<Props, 'isMe'>) {
  const { t } = useTranslation()
  const remove = useRemoveFactors(person)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.users.factors.title', { email: person.email })}
      description={t('admin.users.factors.body')}
      confirm={t('admin.users.factors.action')}
      destructive
      pending={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
    />
  )
}
