import { valibotResolver } from '@hookform/resolvers/valibot'
import { Controller, type SubmitHandler, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import { placeErrors } from '@/api/place-errors'
import { useFormat } from '@/i18n/format'
import { type Language, languages } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { Segmented } from '@/ui/choice'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { Field, Input, Select } from '@/ui/field'
import { useFailureToast } from '../failure-toast'
import { useAddKeyword } from './changes'
import {
  CATEGORIES,
  DEGREES,
  emptyKeyword,
  type KeywordDraft,
  keywordSchema,
  MOST_LETTERS,
  PLACEMENTS,
} from './keyword-form'

const FIELDS = ['keyword', 'category', 'density', 'priority', 'placement'] as const

type Props = { language: Language; onClose: () => void }

/** The form of a new keyword. It closes when the keyword is added. */
export default function AddKeyword({ language, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const add = useAddKeyword(language)
  const fail = useFailureToast(t('admin.seo.failed.add'))
  const { register, control, handleSubmit, setError, watch, formState } = useForm<KeywordDraft>({
    resolver: (...args) => valibotResolver(keywordSchema())(...args),
    defaultValues: emptyKeyword,
  })
  const { errors } = formState
  const name = languages.find(({ code }) => code === language)?.name ?? language
  const letters = format.number([...watch('keyword')].length)

  const submit: SubmitHandler<KeywordDraft> = async ({ density, priority, ...draft }) => {
    try {
      await add.mutateAsync({ ...draft, density: Number(density), priority: Number(priority), language })
      onClose()
    } catch (error) {
      if (isUnauthorized(error) || !placeErrors(error, FIELDS, setError)) return
      fail(error)
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && !add.isPending && onClose()}>
      <DialogContent title={t('admin.seo.form.title')} description={t('admin.seo.form.lead', { language: name })}>
        <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
          <Field
            label={t('admin.seo.keyword')}
            error={errors.keyword?.message}
            aside={`${letters}/${format.number(MOST_LETTERS)}`}
          >
            {(aria) => <Input lang={language} autoComplete="off" {...aria} {...register('keyword')} />}
          </Field>
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <Field label={t('admin.seo.category.label')} error={errors.category?.message}>
              {(aria) => (
                <Select {...aria} {...register('category')}>
                  {CATEGORIES.map((category) => (
                    <option key={category} value={category}>
                      {t(`admin.seo.category.${category}`)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label={t('admin.seo.placement.label')} error={errors.placement?.message}>
              {(aria) => (
                <Select {...aria} {...register('placement')}>
                  {PLACEMENTS.map((placement) => (
                    <option key={placement} value={placement}>
                      {t(`admin.seo.placement.${placement}`)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            {(['density', 'priority'] as const).map((degree) => (
              <Controller
                key={degree}
                control={control}
                name={degree}
                render={({ field, fieldState }) => (
                  <div>
                    <Segmented
                      legend={t(`admin.seo.${degree}`)}
                      name={field.name}
                      value={field.value}
                      options={DEGREES.map((value) => ({ value, label: format.number(Number(value)) }))}
                      onChange={field.onChange}
                    />
                    <p className={fieldState.error ? 'mt-1.5 text-xs text-danger' : 'mt-1.5 text-xs text-ink-3'}>
                      {fieldState.error?.message ?? t(`admin.seo.${degree}Hint`)}
                    </p>
                  </div>
                )}
              />
            ))}
          </div>
          <DialogFooter>
            <Button variant="outline" disabled={add.isPending} onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={add.isPending}>
              {t('admin.seo.add')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
