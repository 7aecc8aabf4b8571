import { valibotResolver } from '@hookform/resolvers/valibot'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { refreshCovers } from '@/api/covers'
import type { ApiError } from '@/api/error'
import {
  getCapabilitiesOptions,
  getGeneratorSettingsOptions,
  listThemesOptions,
} from '@/api/generated/@tanstack/react-query.gen'
import { planLimitsQuery, userQuery, useUser } from '@/api/queries'
import { toast } from '@/ui/toast-store'
import { type Brief, briefSchema, emptyBrief, NO_THEME, serviceOf, toRequest } from './brief'
import { BriefForm } from './brief-form'
import { loadDraft, saveDraft } from './draft'
import { FailureCard } from './failure-card'
import { trimSize } from './formats'
import { isBusy } from './generation'
import { useGenreOf } from './genre-field'
import { allowanceOf, limitWords } from './limits'
import { ProgressCard } from './progress-card'
import { toWire } from './references/reference'
import { useReferences } from './references/use-references'
import { ResultBar } from './result-bar'
import { Stage } from './stage'
import { SubmitBar } from './submit-bar'
import { useGeneration } from './use-generation'

/** The form's names for what the server calls otherwise. */
const fieldOf: Record<string, keyof Brief> = { themeId: 'theme', instanceId: 'service' }

type Props = { prompt: RefObject<HTMLTextAreaElement | null> }

/** Makes covers: what the reader says about the book on one side, the book on the other. */
export function GeneratorSection({ prompt }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const user = useUser()
  const { data: limits } = useQuery(planLimitsQuery())
  const { data: settings } = useQuery(getGeneratorSettingsOptions())
  const { data: capabilities } = useQuery(getCapabilitiesOptions())
  const [draft] = useState(loadDraft)
  const form = useForm<Brief>({
    resolver: (...args) => valibotResolver(briefSchema(settings))(...args),
    defaultValues: draft,
    // every broken rule at once, not the first one only
    criteriaMode: 'all',
  })
  const typed = { ...draft, ...useWatch({ control: form.control }) }
  const genre = useGenreOf(typed.genre) ?? ''
  useKnownTheme(form.getValues, (theme) => form.setValue('theme', theme))

  const allowance = user && limits ? allowanceOf(user, limits) : undefined
  const words = user && limits && allowance?.reached ? limitWords(user, limits) : undefined
  const tellLimit = (description: string) =>
    toast({ title: t('generator.limit.title'), description, variant: 'destructive' })

  const image = capabilities?.image
  const service = serviceOf(typed, image?.choices ?? [])
  const references = useReferences(service?.references ?? image?.references ?? 0)
  const [referenceError, setReferenceError] = useState<string>()
  const { generation, generate, cancel, canceling, clear } = useGeneration({ reader: user?.id, onRefused })
  const busy = isBusy(generation)

  useEffect(() => {
    const { unsubscribe } = form.watch((values) => saveDraft({ ...emptyBrief, ...values }))
    return unsubscribe
  }, [form])

  /** What the server refused for the sake of the plan or of single fields is told where it belongs. */
  function onRefused(error: ApiError): boolean {
    if (error.status === 402) {
      void queryClient.invalidateQueries(userQuery())
      void queryClient.invalidateQueries(planLimitsQuery())
      tellLimit(user && limits ? limitWords(user, limits) : error.sentence)
      return true
    }
    const fields = Object.entries(error.fields).flatMap(([name, message]) => {
      const field = fieldOf[name] ?? name
      return field in emptyBrief ? [[field as keyof Brief, message] as const] : []
    })
    for (const [field, message] of fields) form.setError(field, { type: 'server', message })
    const [, refused] =
      Object.entries(error.fields).find(([name]) => /^(uploadedImages|referenceImageIds)/.test(name)) ?? []
    setReferenceError(refused)
    return fields.length > 0 || refused !== undefined
  }

  /** The order as the server takes it, with the pictures it is to be made after. */
  async function prepare(brief: Brief) {
    const order = toRequest(brief, settings, image?.choices)
    return references.list.length > 0 ? { ...order, ...(await toWire(references.list)) } : order
  }

  const submit = () =>
    form.handleSubmit(
      (brief) => {
        if (references.reading) return
        setReferenceError(undefined)
        if (words) tellLimit(words)
        else void generate(() => prepare(brief))
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

  function save() {
    toast({ title: t('generator.saved.title'), description: t('generator.saved.body') })
    void refreshCovers(queryClient)
  }

  function startNew() {
    clear()
    form.reset(emptyBrief)
    references.clear()
    saveDraft(emptyBrief)
    prompt.current?.focus()
  }

  return (
    <section
      id="generate"
      aria-labelledby="generate-title"
      className="grid -scroll-mt-4 grid-cols-1 border-b border-line lg:grid-cols-[25rem_minmax(0,1fr)]"
    >
      <form
        noValidate
        aria-labelledby="generate-title"
        className="flex min-w-0 flex-col lg:border-e lg:border-line"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="flex-1 px-4 pt-6 pb-8 md:px-8 lg:px-6">
          <h1 id="generate-title" className="display mb-6 text-[2rem]">
            {t('generator.heading')}
          </h1>
          <BriefForm
            form={form}
            settings={settings}
            image={image}
            references={references}
            referenceError={referenceError}
            prompt={prompt}
            onSubmit={() => void submit()}
          />
        </div>
        <div className="sticky bottom-16 z-20 md:bottom-0">
          <SubmitBar
            allowance={allowance}
            words={words}
            paused={image?.available === false}
            pending={busy}
            waiting={references.reading}
            withReferences={references.list.length > 0}
            estimate={service ? service.estimateMicros : image?.estimateMicros}
          />
        </div>
      </form>
      <div className="bg-sunken">
        <Stage
          generation={generation}
          words={{ title: typed.title, author: typed.author, genre }}
          trim={trimSize(typed.dimensions, typed.customWidth, typed.customHeight)}
          blank={!typed.title.trim() && !typed.author.trim() && !typed.prompt.trim()}
        >
          {(generation.step === 'starting' || generation.step === 'running') && (
            <ProgressCard
              generation={generation}
              expectedMs={service?.expectedMs ?? image?.expectedMs ?? null}
              onCancel={cancel}
              canceling={canceling}
            />
          )}
          {generation.step === 'done' && <ResultBar cover={generation.cover} onSave={save} onNew={startNew} />}
          {generation.step === 'failed' && (
            <FailureCard
              failure={generation.failure}
              onRetry={() => void submit()}
              onEdit={() => prompt.current?.focus()}
            />
          )}
        </Stage>
      </div>
    </section>
  )
}

/** Lets go of a theme that the draft remembers and that is there no more. */
function useKnownTheme(getValues: (name: 'theme') => string, setTheme: (theme: string) => void): void {
  const { data: themes } = useQuery(listThemesOptions())
  const latest = useRef({ getValues, setTheme })
  latest.current = { getValues, setTheme }
  useEffect(() => {
    const chosen = latest.current.getValues('theme')
    if (themes && chosen !== NO_THEME && !themes.some(({ id }) => String(id) === chosen)) {
      latest.current.setTheme(NO_THEME)
    }
  }, [themes])
}
