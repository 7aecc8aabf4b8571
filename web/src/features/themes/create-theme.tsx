import { valibotResolver } from '@hookform/resolvers/valibot'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import { sentenceOf, sentencesOfFields } from '@/api/sentence'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { Field, Input, Textarea } from '@/ui/field'
import { FormAlert } from '@/ui/form-alert'
import { useCreateTheme } from './changes'
import { ColorFields } from './color-fields'
import { emptyTheme, type ThemeDraft, themeSchema } from './theme-form'

/** The form of a new theme. It closes when the theme is made, and is empty the next time. */
export default function CreateTheme({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const create = useCreateTheme()
  const [refused, setRefused] = useState<string>()
  const { register, control, handleSubmit, setError, formState } = useForm<ThemeDraft>({
    resolver: (...args) => valibotResolver(themeSchema())(...args),
    defaultValues: emptyTheme(),
  })
  const { errors } = formState

  async function submit({ name, description, colors, stylePrompt }: ThemeDraft) {
    setRefused(undefined)
    try {
      await create.mutateAsync({
        name: name.trim(),
        ...(description.trim() && { description: description.trim() }),
        colors: [...colors],
        stylePrompt: stylePrompt.trim(),
      })
      onClose()
    } catch (error) {
      if (isUnauthorized(error)) return
      const fields = error instanceof ApiError ? Object.entries(sentencesOfFields(error)) : []
      const known = fields.filter(([field]) => field in emptyTheme())
      for (const [field, message] of known) setError(field as keyof ThemeDraft, { type: 'server', message })
      if (known.length === 0) setRefused(sentenceOf(error))
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('themes.form.title')} description={t('themes.form.body')}>
        <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
          {refused && <FormAlert>{refused}</FormAlert>}
          <Field label={t('themes.form.name')} error={errors.name?.message}>
            {(aria) => (
              <Input
                autoComplete="off"
                placeholder={t('themes.form.namePlaceholder')}
                {...aria}
                {...register('name')}
              />
            )}
          </Field>
          <Field
            label={t('themes.form.description')}
            aside={t('themes.form.optional')}
            error={errors.description?.message}
          >
            {(aria) => (
              <Input
                autoComplete="off"
                placeholder={t('themes.form.descriptionPlaceholder')}
                {...aria}
                {...register('description')}
              />
            )}
          </Field>
          <Controller
            control={control}
            name="colors"
            render={({ field, fieldState }) => (
              <ColorFields colors={field.value} error={fieldState.error?.message} onChange={field.onChange} />
            )}
          />
          <Field label={t('themes.form.style')} hint={t('themes.form.styleHint')} error={errors.stylePrompt?.message}>
            {(aria) => (
              <Textarea
                rows={3}
                placeholder={t('themes.form.stylePlaceholder')}
                {...aria}
                {...register('stylePrompt')}
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
