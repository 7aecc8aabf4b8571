import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import type { ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useChangeTheme } from '../api/mutations'
import { changeOf, draftOf, THEME_FIELDS, themeSchema } from '../theme-schema'
import { ThemeFields } from './theme-fields'

/** Changes a theme: what it is called, its colors and its style. Only what is different is sent. */
export default function EditThemeDialog({ theme, onClose }: { theme: ThemeOut; onClose: () => void }) {
  const { t } = useTranslation()
  const change = useChangeTheme(theme)
  const { form, typed, fieldError, formError, onSubmit } = useServerForm({
    schema: themeSchema,
    values: draftOf(theme),
    fields: THEME_FIELDS,
    submit: (draft) => change.mutateAsync(changeOf(theme, draft)),
    onSuccess: onClose,
    ignore: (error) => !(error instanceof ApiError && error.status === 422),
  })

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('themes.detail.edit')} description={t('themes.detail.editBody')}>
        <form noValidate className="space-y-5" onSubmit={onSubmit}>
          {formError && <FormAlert>{formError}</FormAlert>}
          <ThemeFields form={form} fieldError={fieldError} />
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
