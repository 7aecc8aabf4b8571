import { Controller, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field, Input, Textarea } from '@/ui/form/field'
import type { ThemeDraft } from '../theme-schema'
import { ColorFields } from './color-fields'

type Props = {
  form: UseFormReturn<ThemeDraft>
  fieldError: (name: keyof ThemeDraft) => string | undefined
}

/** The fields of a theme, new or not. */
export function ThemeFields({ form, fieldError }: Props) {
  const { t } = useTranslation()
  return (
    <>
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
      <Field label={t('themes.form.description')} aside={t('themes.form.optional')} error={fieldError('description')}>
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
            rows={4}
            placeholder={t('themes.form.stylePlaceholder')}
            {...aria}
            {...form.register('stylePrompt')}
          />
        )}
      </Field>
    </>
  )
}
