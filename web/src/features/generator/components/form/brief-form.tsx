import type { ReactNode, RefObject } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { GeneratorSettings, ImageCapabilitiesOut } from '@/api/generated'
import { cn } from '@/ui/cn'
import { Field, Input, Textarea } from '@/ui/form/field'
import { DepictionField } from '../../depiction/depiction-field'
import { IdeasButton } from '../../ideas/ideas-button'
import { type Brief, LENGTHS, lengthOf, serviceOf } from '../../model/brief'
import type { Dimensions } from '../../model/formats'
import { ReferenceImages } from '../../references/reference-images'
import type { References } from '../../references/use-references'
import { FormatChoice } from './format-choice'
import { GenreField } from './genre-field'
import { MoreWords } from './more-words'
import { SeedField } from './seed-field'
import { ServiceChoice } from './service-choice'
import { ThemeField } from './theme-field'

type Props = {
  form: UseFormReturn<Brief>
  settings: GeneratorSettings | undefined
  image: ImageCapabilitiesOut | undefined
  references: References
  /** What the server had against the references. */
  referenceError: string | undefined
  prompt: RefObject<HTMLTextAreaElement | null>
  /** Stands under the choice of a theme: a quick way to a new one. */
  themeExtra?: ReactNode
  /** For a theme's own generator, whose theme is settled: its formats, and its covers to take as references. */
  series?: { formats: readonly Dimensions[]; covers: ReactNode }
}

/** Everything a reader can say about the book. */
export function BriefForm({ form, settings, image, references, referenceError, prompt, themeExtra, series }: Props) {
  const { t } = useTranslation()
  const { register, control, formState } = form
  const { errors } = formState
  const typed = useWatch({ control })
  const description = register('prompt')
  const choices = image?.choices ?? []
  const service = serviceOf({ service: typed.service ?? '' }, choices)
  const wanted = references.list.length
  const length = lengthOf(typed.prompt ?? '')

  return (
    <div className="space-y-6 [&_:is(input,textarea,select)]:scroll-mb-40">
      <Field
        label={t('generator.prompt.label')}
        error={errors.prompt?.message}
        aside={
          <span dir="ltr" className={cn(length > LENGTHS.prompt && 'font-medium text-danger')}>
            {length}/{LENGTHS.prompt}
          </span>
        }
      >
        {(aria) => (
          <Textarea
            rows={5}
            {...aria}
            {...description}
            ref={(element) => {
              description.ref(element)
              prompt.current = element
            }}
            placeholder={t('generator.prompt.placeholder')}
            className="block min-h-32"
          />
        )}
      </Field>
      <div className="-mt-3">
        <IdeasButton form={form} />
      </div>
      {(service ?? image)?.depicts && <DepictionField form={form} instanceId={service?.instanceId} />}
      <Field label={t('generator.title.label')} aside={t('generator.optional')} error={errors.title?.message}>
        {(aria) => <Input autoComplete="off" {...aria} {...register('title')} />}
      </Field>
      <Field
        label={t('generator.author.label')}
        aside={t('generator.optional')}
        hint={t('generator.author.hint')}
        error={errors.author?.message}
      >
        {(aria) => <Input autoComplete="off" {...aria} {...register('author')} />}
      </Field>
      <MoreWords form={form} />
      {(service ?? image)?.lettersByModel && (
        <label className="flex items-start gap-2.5 text-note text-ink-2">
          <input type="checkbox" className="mt-0.5 size-4 accent-accent" {...register('lettersByModel')} />
          <span>
            {t('generator.letteringByModel.label')}
            <span className="mt-0.5 block text-ink-3">{t('generator.letteringByModel.hint')}</span>
          </span>
        </label>
      )}
      <div>
        <GenreField form={form} value={typed.genre ?? ''} error={errors.genre?.message} />
        {settings?.showGenreCheckbox && (
          <label className="mt-3 flex items-start gap-2.5 text-note text-ink-2">
            <input type="checkbox" className="mt-0.5 size-4 accent-accent" {...register('useDefaultGenre')} />
            {t('generator.genre.useDefault')}
          </label>
        )}
      </div>
      <FormatChoice
        value={typed.dimensions ?? '6x9'}
        choices={series?.formats}
        offered={image?.dimensions}
        upscaled={!image || service || wanted > image.firstReferences ? [] : image.upscaled}
        customWidth={typed.customWidth ?? ''}
        customHeight={typed.customHeight ?? ''}
        register={register}
        errors={errors}
      />
      {series?.covers}
      {references.max > 0 && (
        <ReferenceImages
          references={references}
          service={
            service || wanted <= (image?.firstReferences ?? 0) ? undefined : image?.referenceProviders[wanted - 1]
          }
          error={referenceError}
          required={series !== undefined}
        />
      )}
      {!series && <ThemeField form={form} />}
      {themeExtra}
      {choices.length > 0 && (
        <ServiceChoice form={form} value={typed.service ?? ''} choices={choices} references={wanted} />
      )}
      {(service ? service.seed : image?.seed) && <SeedField form={form} />}
    </div>
  )
}
