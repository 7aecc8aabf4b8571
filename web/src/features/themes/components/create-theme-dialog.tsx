import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Field, Input, Textarea } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useCreateTheme } from '../api/mutations'
import { emptyTheme, themeSchema } from '../theme-schema'
import { ColorFields } from './color-fields'

/** The form of a new theme. It closes when the theme is made, and is empty the next time. */
export default function CreateThemeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const create = useCreateTheme()
  const { form, fieldError, formError, onSubmit } = useServerForm({
    schema: themeSchema,
    values: emptyTheme,
    fields: ['name', 'description', 'colors', 'stylePrompt'],
    submit: ({ description, ...theme }) => create.mutateAsync({ ...theme, ...(description && { description }) }),
    onSuccess: onClose,
  })

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('themes.form.title')} description={t('themes.form.body')}>
        <form noValidate className="space-y-5" onSubmit={onSubmit}>
          {formError && <FormAlert>{formError}</FormAlert>}
          <Field label={t('themes.form.name')} error={fieldError('name')}>
            {(aria) => (
              <Input
                autoComplete="off"
                placeholder={t('themes.form.namePlaceholder')}
                {...aria}
                {...form.register('name')}
              />
            )}
          </Field>
          <Field
            label={t('themes.form.description')}
            aside={t('themes.form.optional')}
            error={fieldError('description')}
          >
            {(aria) => (
              <Input
                autoComplete="off"
                placeholder={t('themes.form.descriptionPlaceholder')}
                {...aria}
                {...form.register('description')}
              />
            )}
          </Field>
          <Controller
            control={form.control}
            name="colors"
            render={({ field, fieldState }) => (
              <ColorFields colors={field.value} error={fieldState.error?.message} onChange={field.onChange} />
            )}
          />
          <Field label={t('themes.form.style')} hint={t('themes.form.styleHint')} error={fieldError('stylePrompt')}>
            {(aria) => (
              <Textarea
                rows={3}
                placeholder={t('themes.form.stylePlaceholder')}
                {...aria}
                {...form.register('stylePrompt')}
              />
            )}
          </Field>
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
