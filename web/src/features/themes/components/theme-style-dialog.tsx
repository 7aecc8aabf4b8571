import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Field, Textarea } from '@/ui/form/field'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useUpdateThemeStyle } from '../api/mutations'

const STYLE_LENGTH = 1000
const schema = v.object({ stylePrompt: v.pipe(v.string(), v.trim(), v.nonEmpty()) })

/** Changes the style prompt of a theme. */
export default function ThemeStyleDialog({ theme, onClose }: { theme: ThemeOut; onClose: () => void }) {
  const { t } = useTranslation()
  const change = useUpdateThemeStyle(theme)
  const { form, typed, onSubmit } = useServerForm({
    schema,
    values: { stylePrompt: theme.stylePrompt },
    fields: ['stylePrompt'],
    submit: ({ stylePrompt }) => change.mutateAsync(stylePrompt),
    onSuccess: onClose,
    onError: mutationShowsError,
  })

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('themes.detail.editTitle')} description={t('themes.detail.editBody')}>
        <form noValidate onSubmit={onSubmit}>
          <Field label={t('themes.detail.style')}>
            {(aria) => <Textarea rows={6} maxLength={STYLE_LENGTH} {...aria} {...form.register('stylePrompt')} />}
          </Field>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={change.isPending} disabled={!typed.stylePrompt.trim() || change.isPending}>
              {t('themes.detail.save')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
