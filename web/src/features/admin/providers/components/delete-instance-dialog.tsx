import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import type { InstanceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { ConfirmDialog, Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useDeleteInstance } from '../mutations'

type Props = { instance: InstanceOut; open: boolean; onOpenChange: (open: boolean) => void; onDeleted?: () => void }

/** Asks before an instance is deleted, or says why it cannot be. */
export function DeleteInstanceDialog({ instance, open, onOpenChange, onDeleted }: Props) {
  const { t } = useTranslation()
  const remove = useDeleteInstance(instance)
  const hindrance = useHindrance(instance)
  const title = t('admin.providers.delete.title', { label: instance.label })
  if (hindrance) {
    return (
      <Dialog open={open} onOpenChange={onOpenChange}>
        <DialogContent title={t('admin.providers.delete.blocked', { label: instance.label })} description={hindrance}>
          <DialogFooter>
            <Button onClick={() => onOpenChange(false)}>{t('common.close')}</Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(on) => {
        remove.reset()
        onOpenChange(on)
      }}
      title={title}
      description={t('admin.providers.delete.body')}
      confirm={t('admin.providers.delete.action')}
      destructive
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            onOpenChange(false)
            onDeleted?.()
          },
        })
      }
    >
      {remove.isError && <FormAlert>{errorMessage(remove.error)}</FormAlert>}
    </ConfirmDialog>
  )
}

/** Why an instance cannot be deleted, as far as the page knows. */
function useHindrance({ origin, inUse, inUseWhat }: InstanceOut): string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  if (origin === 'file') return t('admin.providers.delete.inFile')
  if (inUse === 0) return undefined
  const values = { count: inUse, formatted: format.number(inUse) }
  return inUseWhat
    ? t(`admin.providers.delete.inUse.${inUseWhat}`, values)
    : t('admin.providers.delete.inUse.rows', values)
}
