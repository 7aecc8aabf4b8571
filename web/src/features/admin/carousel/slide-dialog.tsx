import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import type { CoverOut, SlideOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { UnreadablePictureError, useSaveSlide } from './mutations'
import { PictureField } from './picture-field'
import { SlideFieldset } from './slide-fieldset'
import { draftOf, slideSchema } from './slide-schema'
import { useSlidePicture } from './use-slide-picture'

type Props = { slide: SlideOut | undefined; onClose: () => void }

/** The form of a cover: a new one, or one that is there. It closes when the cover is saved. */
export default function SlideDialog({ slide, onClose }: Props) {
  const { t } = useTranslation()
  const chosen = useSlidePicture()
  const save = useSaveSlide(slide)
  const fail = useFailureToast(t(slide ? 'admin.carousel.failed.update' : 'admin.carousel.failed.create'))
  const { form, isDirty, onSubmit } = useServerForm({
    schema: slideSchema,
    values: draftOf(slide),
    fields: ['title', 'genre', 'description', 'displayOrder', 'isActive'],
    submit: async (fields) => {
      const { picture } = chosen
      if (!slide && !picture) return
      await save.mutateAsync({ fields, picture })
      onClose()
    },
    onError: (error) => {
      if (error instanceof UnreadablePictureError)
        toast({ title: t('admin.carousel.failed.image'), variant: 'destructive' })
      else fail(error)
    },
  })
  const { isSubmitted } = form.formState
  const dirty = isDirty || chosen.picture !== undefined
  const [closing, setClosing] = useState(false)
  const guard = useUnsavedGuard(dirty && !save.isSuccess)
  const refused = save.error instanceof ApiError ? fieldMessages(save.error).imageData : undefined
  const missing = isSubmitted && !slide && !chosen.picture ? t('errors.field.no_image') : undefined

  function onCover(cover: CoverOut) {
    if (slide) chosen.chooseCoverAsFile(cover)
    else chosen.chooseCover(cover)
    for (const name of ['title', 'genre'] as const) {
      if (!form.getValues(name)) {
        form.setValue(name, cover[name], { shouldDirty: true, shouldValidate: isSubmitted })
      }
    }
    save.reset()
  }

  function close() {
    if (save.isPending) return
    if (dirty) setClosing(true)
    else onClose()
  }

  return (
    <Dialog open onOpenChange={(open) => open || close()}>
      <DialogContent
        title={t(slide ? 'admin.carousel.edit.title' : 'admin.carousel.add')}
        description={t(slide ? 'admin.carousel.edit.body' : 'admin.carousel.addLead')}
        className="max-w-2xl"
      >
        <form noValidate onSubmit={onSubmit}>
          <div className="grid grid-cols-1 items-start gap-6 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <PictureField
              title={form.watch('title')}
              url={chosen.picture?.url ?? slide?.imageUrl}
              replaced={slide !== undefined && chosen.picture !== undefined}
              reading={chosen.reading}
              error={chosen.problem ?? refused ?? missing}
              onFiles={(files) => {
                save.reset()
                chosen.choose(files)
              }}
              onCover={onCover}
              onUndo={() => {
                save.reset()
                chosen.clear()
              }}
            />
            <SlideFieldset form={form} />
          </div>
          <DialogFooter>
            <Button variant="outline" disabled={save.isPending} onClick={close}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={save.isPending} disabled={chosen.reading}>
              {t(slide ? 'admin.form.save' : 'admin.carousel.add')}
            </Button>
          </DialogFooter>
        </form>
        <LeaveDialog
          guard={{
            ...guard,
            asking: guard.asking || closing,
            stay: () => {
              setClosing(false)
              guard.stay()
            },
            leave: () => {
              if (guard.asking) guard.leave()
              else onClose()
            },
          }}
        />
      </DialogContent>
    </Dialog>
  )
}
