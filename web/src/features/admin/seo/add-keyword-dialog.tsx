import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { type Language, languages } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { Field, Input, Select } from '@/ui/form/field'
import { SegmentedControl } from '@/ui/form/radio-group'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useFailureToast } from '../hooks/use-failure-toast'
import { CATEGORIES, emptyKeyword, keywordSchema, MAX_LENGTH, PLACEMENTS, RATINGS } from './keyword-schema'
import { useAddKeyword } from './mutations'

type Props = { language: Language; onClose: () => void }

/** The form of a new keyword. It closes when the keyword is added. */
export default function AddKeywordDialog({ language, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const add = useAddKeyword(language)
  const fail = useFailureToast(t('admin.seo.failed.add'))
  const { form, typed, fieldError, onSubmit } = useServerForm({
    schema: keywordSchema,
    values: emptyKeyword,
    fields: ['keyword', 'category', 'density', 'priority', 'placement'],
    submit: ({ density, priority, ...draft }) =>
      add.mutateAsync({ ...draft, density: Number(density), priority: Number(priority), language }),
    onSuccess: onClose,
    onError: (error, message) => message && fail(error),
  })
  const name = languages.find(({ code }) => code === language)?.name ?? language
  const letters = format.number([...typed.keyword].length)

  return (
    <Dialog open onOpenChange={(open) => !open && !add.isPending && onClose()}>
      <DialogContent title={t('admin.seo.form.title')} description={t('admin.seo.form.lead', { language: name })}>
        <form noValidate className="space-y-5" onSubmit={onSubmit}>
          <Field
            label={t('admin.seo.keyword')}
            error={fieldError('keyword')}
            aside={`${letters}/${format.number(MAX_LENGTH)}`}
          >
            {(aria) => <Input lang={language} autoComplete="off" {...aria} {...form.register('keyword')} />}
          </Field>
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <Field label={t('admin.seo.category.label')} error={fieldError('category')}>
              {(aria) => (
                <Select {...aria} {...form.register('category')}>
                  {CATEGORIES.map((category) => (
                    <option key={category} value={category}>
                      {t(`admin.seo.category.${category}`)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label={t('admin.seo.placement.label')} error={fieldError('placement')}>
              {(aria) => (
                <Select {...aria} {...form.register('placement')}>
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
                control={form.control}
                name={degree}
                render={({ field, fieldState }) => (
                  <div>
                    <SegmentedControl
                      legend={t(`admin.seo.${degree}`)}
                      name={field.name}
                      value={field.value}
                      options={RATINGS.map((value) => ({ value, label: format.number(Number(value)) }))}
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
