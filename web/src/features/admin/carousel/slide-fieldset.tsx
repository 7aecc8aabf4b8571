import { Controller, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { genreKey, genres } from '@/lib/sample-covers'
import { Field, Input, Textarea } from '@/ui/form/field'
import { ChipGroup } from '@/ui/form/radio-group'
import { SwitchField } from '@/ui/form/switch-field'
import type { SlideFields } from './mutations'
import { GENRE_NAMES, MAX_LENGTH, type SlideDraft } from './slide-schema'

type Props = { form: UseFormReturn<SlideDraft, unknown, SlideFields> }

/** What is said about a cover, where it stands, and whether it is shown. */
export function SlideFieldset({ form }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { register, control, watch, setValue, formState } = form
  const { errors, isSubmitted } = formState
  const { title, genre, description } = watch()
  const letters = (text: string, most: number) => `${format.number(text.length)}/${format.number(most)}`
  return (
    <div className="min-w-0 space-y-5">
      <Field label={t('generator.title.label')} error={errors.title?.message} aside={letters(title, MAX_LENGTH.title)}>
        {(aria) => <Input autoComplete="off" maxLength={MAX_LENGTH.title} {...aria} {...register('title')} />}
      </Field>
      <div>
        <Field
          label={t('generator.genre.label')}
          error={errors.genre?.message}
          hint={t('admin.carousel.genreHint')}
          aside={letters(genre, MAX_LENGTH.genre)}
        >
          {(aria) => <Input autoComplete="off" maxLength={MAX_LENGTH.genre} {...aria} {...register('genre')} />}
        </Field>
        <ChipGroup
          legend={t('generator.genre.usual')}
          hideLegend
          className="mt-2.5"
          name="usual-genre"
          value={genres.find((usual) => usual === genreKey(genre)) ?? ''}
          options={genres.map((usual) => ({ value: usual, label: t(`genre.${usual}`) }))}
          onChange={(usual) =>
            setValue('genre', GENRE_NAMES[usual], { shouldDirty: true, shouldValidate: isSubmitted })
          }
        />
      </div>
      <Field
        label={t('admin.carousel.descriptionLabel')}
        error={errors.description?.message}
        hint={t('admin.carousel.descriptionHint')}
        aside={letters(description, MAX_LENGTH.description)}
      >
        {(aria) => (
          <Textarea rows={3} dir="auto" maxLength={MAX_LENGTH.description} {...aria} {...register('description')} />
        )}
      </Field>
      <Field
        label={t('admin.carousel.orderLabel')}
        hint={t('admin.carousel.orderHint')}
        error={errors.displayOrder?.message}
      >
        {(aria) => (
          <Input
            type="number"
            inputMode="numeric"
            min={0}
            step={1}
            dir="ltr"
            className="w-32 rtl:text-end"
            {...aria}
            {...register('displayOrder')}
          />
        )}
      </Field>
      <Controller
        control={control}
        name="isActive"
        render={({ field }) => (
          <SwitchField
            label={t('admin.carousel.activeLabel')}
            hint={t('admin.carousel.activeHint')}
            checked={field.value}
            onChange={field.onChange}
          />
        )}
      />
    </div>
  )
}
