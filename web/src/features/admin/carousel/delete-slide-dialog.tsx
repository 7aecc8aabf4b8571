import { useTranslation } from 'react-i18next'
import type { SlideOut } from '@/api/generated'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { useDeleteSlide } from './mutations'

type Props = { slide: SlideOut; onClose: () => void }

/** Asks before a cover leaves the carousel. */
export function DeleteSlideDialog({ slide, onClose }: Props) {
  const { t } = useTranslation()
  const remove = useDeleteSlide(slide)
  return (
    <ConfirmDialog
      open
      onOpenChange={(on) => on || remove.isPending || onClose()}
      title={t('admin.carousel.delete.title', { title: slide.title })}
      description={t('admin.carousel.delete.body')}
      confirm={t('admin.carousel.delete.action')}
      destructive
      pending={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
    />
  )
}
