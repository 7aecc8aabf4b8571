import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useCreateTheme } from '../api/mutations'
import { emptyTheme, THEME_FIELDS, themeSchema } from '../theme-schema'
import { ThemeFields } from './theme-fields'

/** The form of a new theme. It closes when the theme is made, and is empty the next time. */
export default function CreateThemeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const create = useCreateTheme()
  const { form, fieldError, formError, onSubmit } = useServerForm({
    schema: themeSchema,
    values: emptyTheme,
    fields: THEME_FIELDS,
    submit: ({ description, ...theme }) => create.mutateAsync({ ...theme, ...(description && { description }) }),
    onSuccess: onClose,
  })

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('themes.form.title')} description={t('themes.form.body')}>
        <form noValidate className="space-y-5" onSubmit={onSubmit}>
          {formError && <FormAlert>{formError}</FormAlert>}
          <ThemeFields form={form} fieldError={fieldError} />
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={create.isPending}>
              {t('themes.form.create')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
