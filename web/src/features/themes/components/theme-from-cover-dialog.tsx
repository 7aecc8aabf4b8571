import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { Field, Input } from '@/ui/form/field'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useCreateThemeFromCover } from '../api/mutations'

const NAME_LENGTH = 100
const schema = v.object({ themeName: v.pipe(v.string(), v.trim(), v.nonEmpty('themes.form.nameMissing')) })

type Props = { cover: CoverOut; onClose: () => void; onMade?: (theme: ThemeOut) => void }

/** Asks for the name of a theme that carries on with the look of a cover. */
export default function ThemeFromCoverDialog({ cover, onClose, onMade }: Props) {
  const { t } = useTranslation()
  const create = useCreateThemeFromCover()
  const { form, fieldError, onSubmit } = useServerForm({
    schema,
    values: { themeName: cover.title },
    fields: ['themeName'],
    submit: ({ themeName }) => create.mutateAsync({ coverId: cover.id, themeName }),
    onSuccess: (theme) => {
      onClose()
      onMade?.(theme)
    },
    onError: mutationShowsError,
  })

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('themes.start.title')} description={t('themes.start.body')}>
        <form noValidate onSubmit={onSubmit}>
          <div className="flex items-start gap-5">
            <CoverThumbnail
              cover={cover}
              alt={t('themes.start.cover', { title: cover.title || t('themes.start.untitled') })}
              className="w-20 shrink-0"
            />
            <Field label={t('themes.start.name')} error={fieldError('themeName')} className="min-w-0 flex-1">
              {(aria) => <Input autoComplete="off" maxLength={NAME_LENGTH} {...aria} {...form.register('themeName')} />}
            </Field>
          </div>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={create.isPending}>
              {t('themes.start.create')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
