import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { FormAlert } from '@/ui/form/form-alert'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { useChangeUser, useDeleteUser } from './mutations'

type Props = { person: PersonOut; isMe: boolean; onClose: () => void }

/** Asks before an account is deleted, by its address. */
export function DeleteUserDialog({ person, isMe, onClose }: Props) {
  const { t } = useTranslation()
  const remove = useDeleteUser(person, onClose)
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
