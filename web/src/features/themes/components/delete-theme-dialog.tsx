import { useTranslation } from 'react-i18next'
import type { ThemeOut } from '@/api/generated'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { useDeleteTheme } from '../api/mutations'

type Props = { theme: ThemeOut | undefined; onClose: () => void; onDeleted: () => void }

/** Asks once more before a theme goes; open while there is one to ask about. */
export function DeleteThemeDialog({ theme, onClose, onDeleted }: Props) {
  const { t } = useTranslation()
  const remove = useDeleteTheme()
  return (
    <ConfirmDialog
      open={theme !== undefined}
      onOpenChange={(open) => !open && !remove.isPending && onClose()}
      title={t('themes.remove.title')}
      description={t('themes.remove.body', { name: theme?.name ?? '' })}
      confirm={t('themes.remove.confirm')}
      pending={remove.isPending}
      destructive
      onConfirm={() => {
        if (!theme) return
        remove.mutate(theme, {
          onSuccess: () => {
            onClose()
            onDeleted()
          },
          onError: onClose,
        })
      }}
    />
  )
}
