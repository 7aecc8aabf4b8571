import { valibotResolver } from '@hookform/resolvers/valibot'
import { useQuery } from '@tanstack/react-query'
import { lazy, type Ref, Suspense, useImperativeHandle, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { CoverOut, GenerateWithReferencesIn, ThemeOut } from '@/api/generated'
import {
  getCapabilitiesOptions,
  getGeneratorSettingsOptions,
  listThemeCoversOptions,
} from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries'
import { toast } from '@/ui/toast-store'
import { type Brief, briefSchema, emptyBrief, serviceOf, toRequest } from './brief'
import { BriefForm } from './brief-form'
import { type Dimensions, trimSize } from './formats'
import { chosenOf, isBusy } from './generation'
import { useGenreOf } from './genre-field'
import { useRecall } from './recall'
import { toWire } from './references/reference'
import { ThemeReferences } from './references/theme-references'
import { useReferences } from './references/use-references'
import { ResultPanel } from './result-panel'
import { SubmitBar } from './submit-bar'
import { useGeneration } from './use-generation'
import { useGeneratorShortcuts } from './use-generator-shortcuts'
import { useRefusals } from './use-refusals'

const DetailsDrawer = lazy(() => import('./details/details-drawer'))

/** What covers of a theme are made in. */
const FORMATS: readonly Dimensions[] = ['6x9', '5.5x8.5', '8.5x11', '1024x1792']
/** So many covers of the theme are offered as references; older ones are found among all covers. */
const OFFERED = 12

export type ThemeGeneratorHandle = {
  /** Says how a cover was made. */
  showDetails: (coverId: number) => void
}

/** Makes more covers of a theme, after its covers or other pictures. */
export function ThemeGenerator({ ref, theme }: { ref?: Ref<ThemeGeneratorHandle>; theme: ThemeOut }) {
  const { t } = useTranslation()
  const user = useUser()
  const { data: settings } = useQuery(getGeneratorSettingsOptions())
  const { data: image } = useQuery({ ...getCapabilitiesOptions(), select: (capabilities) => capabilities.image })
  const { data: covers = [] } = useQuery(
    listThemeCoversOptions({ path: { theme_id: theme.id }, query: { limit: OFFERED } }),
  )
  const prompt = useRef<HTMLTextAreaElement>(null)
  const form = useForm<Brief>({
    resolver: (...args) => valibotResolver(briefSchema(settings))(...args),
    defaultValues: emptyBrief,
    criteriaMode: 'all',
  })
  const typed = { ...emptyBrief, ...useWatch({ control: form.control }) }
  const genre = useGenreOf(typed.genre) ?? ''
  const service = serviceOf(typed, image?.choices ?? [])
  const references = useReferences(service?.references ?? image?.references ?? 0)
  const { allowance, words, tellLimit, onRefused, referenceError, setReferenceError } = useRefusals(form)
  const control = useGeneration({ reader: user?.id, onRefused })
  const [detailed, setDetailed] = useState<number>()
  const { recall, recallCover } = useRecall(form, () => prompt.current?.focus())

  const busy = isBusy(control.generation)
  const missing = references.list.length === 0
  const most = image?.maxVariants ?? 1
  const count = Math.max(1, Math.min(typed.count, most, allowance?.left ?? most))

  /** The order as the server takes it, with the pictures it is to be made after. */
  async function prepare(brief: Brief): Promise<GenerateWithReferencesIn> {
    return {
      ...toRequest({ ...brief, count }, settings, image?.choices),
      themeId: theme.id,
      themeStylePrompt: theme.stylePrompt,
      ...(await toWire(references.list)),
    }
  }

  const submit = () =>
    form.handleSubmit(
      (brief) => {
        if (references.reading || missing) return
        setReferenceError(undefined)
        if (words) tellLimit(words)
        else void control.generate(() => prepare(brief), count)
      },
      ({ prompt }) => {
        if (form.getValues('prompt').trim() || !prompt) return
        toast({
          title: t('generator.missingPrompt.title'),
          description: t('generator.missingPrompt.body'),
          variant: 'destructive',
        })
      },
    )()
  const chosen = chosenOf(control.generation)
  useGeneratorShortcuts({
    prompt,
    getPrompt: () => form.getValues('prompt'),
    setPrompt: (text) => form.setValue('prompt', text, { shouldValidate: form.formState.isSubmitted }),
    onSubmit: () => void submit(),
    shown: chosen?.step === 'done' ? chosen.cover.id : undefined,
    onRecall: recallCover,
    onDetails: setDetailed,
  })
  useImperativeHandle(ref, () => ({ showDetails: setDetailed }))

  function startNew() {
    control.clear()
    form.reset({ ...emptyBrief, author: form.getValues('author'), dimensions: form.getValues('dimensions') })
    prompt.current?.focus()
  }

  return (
    <section
      aria-labelledby="theme-generator-title"
      className="grid grid-cols-1 border-b border-line lg:grid-cols-[25rem_minmax(0,1fr)]"
    >
      <form
        noValidate
        aria-labelledby="theme-generator-title"
        className="flex min-w-0 flex-col lg:border-e lg:border-line"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="flex-1 px-4 pt-6 pb-8 md:px-8 lg:px-6">
          <h2 id="theme-generator-title" className="display text-[1.75rem]">
            {t('themes.generator.heading')}
          </h2>
          <p className="mt-1.5 mb-6 text-sm leading-relaxed text-ink-2">
            {t('themes.generator.lead', { name: theme.name })}
          </p>
          <BriefForm
            form={form}
            settings={settings}
            image={image}
            references={references}
            referenceError={referenceError}
            prompt={prompt}
            series={{ formats: FORMATS, covers: <ThemeReferences covers={covers} references={references} /> }}
          />
        </div>
        <div className="sticky bottom-16 z-20 md:bottom-0">
          <SubmitBar
            count={count}
            most={most}
            onCount={(wanted) => form.setValue('count', wanted)}
            allowance={allowance}
            words={words}
            paused={image?.available === false}
            pending={busy}
            waiting={references.reading}
            missing={missing ? t('themes.generator.missing') : undefined}
            withReferences
            estimate={service ? service.estimateMicros : image?.estimateMicros}
          />
        </div>
      </form>
      <div className="bg-sunken">
        <ResultPanel
          control={control}
          words={{ title: typed.title, author: typed.author, genre }}
          trim={trimSize(typed.dimensions, typed.customWidth, typed.customHeight)}
          blank={!typed.title.trim() && !typed.author.trim() && !typed.prompt.trim()}
          expectedMs={service?.expectedMs ?? image?.expectedMs ?? null}
          onRetry={() => void submit()}
          onEdit={() => prompt.current?.focus()}
          onNew={startNew}
          onDetails={({ id }: CoverOut) => setDetailed(id)}
        />
      </div>
      {detailed !== undefined && (
        <Suspense>
          <DetailsDrawer
            coverId={detailed}
            onClose={() => setDetailed(undefined)}
            onRecall={(details, what) => {
              setDetailed(undefined)
              recall(details, what)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
