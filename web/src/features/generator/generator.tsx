import { valibotResolver } from '@hookform/resolvers/valibot'
import { useQuery } from '@tanstack/react-query'
import {
  lazy,
  type ReactNode,
  type Ref,
  type RefObject,
  Suspense,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { CoverDetails, CoverOut, GenerationOut } from '@/api/generated'
import {
  getCapabilitiesOptions,
  getGeneratorSettingsOptions,
  listThemesOptions,
} from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries'
import { toast } from '@/ui/toast-store'
import { type Brief, briefSchema, emptyBrief, NO_THEME, serviceOf, toRequest } from './brief'
import { BriefForm } from './brief-form'
import { loadDraft, saveDraft } from './draft'
import { trimSize } from './formats'
import { chosenOf, isBusy } from './generation'
import { useGenreOf } from './genre-field'
import { lookOf } from './history/history'
import { HistoryFold } from './history/history-fold'
import { type Recalled, useRecall } from './recall'
import { toWire } from './references/reference'
import { useReferences } from './references/use-references'
import { ResultPanel } from './result-panel'
import { SubmitBar } from './submit-bar'
import { useGeneration } from './use-generation'
import { useGeneratorShortcuts } from './use-generator-shortcuts'
import { useRefusals } from './use-refusals'

const DetailsDrawer = lazy(() => import('./details/details-drawer'))

/** What other parts of the page can ask of the generator. */
export type GeneratorHandle = {
  /** Fills the form with how a cover was made, or with a part of it. */
  recall: (coverId: number, what: Recalled) => void
  /** Says how a cover was made. */
  showDetails: (coverId: number) => void
  /** Chooses a theme for what is made next. */
  chooseTheme: (themeId: number) => void
}

type Props = {
  ref?: Ref<GeneratorHandle>
  prompt: RefObject<HTMLTextAreaElement | null>
  /** Makes a theme of a cover that was just made. */
  onStartTheme?: (cover: CoverOut) => void
  /** Stands under the choice of a theme: a quick way to a new one. */
  themeExtra?: ReactNode
}

/** Makes covers: what the reader says about the book on one side, the book on the other. */
export function GeneratorSection({ ref, prompt, onStartTheme, themeExtra }: Props) {
  const { t } = useTranslation()
  const user = useUser()
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

  const { allowance, words, tellLimit, onRefused, referenceError, setReferenceError } = useRefusals(form)

  const image = capabilities?.image
  const service = serviceOf(typed, image?.choices ?? [])
  const references = useReferences(service?.references ?? image?.references ?? 0)
  const control = useGeneration({ reader: user?.id, onRefused, provider: service?.label })
  const { generation, generate, again, clear } = control
  const busy = isBusy(generation)
  const chosen = chosenOf(generation)
  const [detailed, setDetailed] = useState<number>()

  const most = image?.maxVariants ?? 1
  const count = Math.max(1, Math.min(typed.count, most, allowance?.left ?? most))

  useEffect(() => {
    const { unsubscribe } = form.watch((values) => saveDraft({ ...emptyBrief, ...values }))
    return unsubscribe
  }, [form])

  /** The order as the server takes it, with the pictures it is to be made after. */
  async function prepare(brief: Brief) {
    const order = toRequest({ ...brief, count }, settings, image?.choices)
    return references.list.length > 0 ? { ...order, ...(await toWire(references.list)) } : order
  }

  const submit = () =>
    form.handleSubmit(
      (brief) => {
        if (references.reading) return
        setReferenceError(undefined)
        if (words) tellLimit(words)
        else void generate(() => prepare(brief), count)
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

  const { recall, recallCover } = useRecall(form, () => prompt.current?.focus())

  function runAgain(line: GenerationOut, wanted: number) {
    if (words) tellLimit(words)
    else void again(line, Math.max(1, Math.min(wanted, most, allowance?.left ?? most)), lookOf(line))
  }

  useImperativeHandle(ref, () => ({
    recall: recallCover,
    showDetails: setDetailed,
    chooseTheme: (themeId) => {
      form.setValue('theme', String(themeId))
      prompt.current?.focus()
    },
  }))
  useGeneratorShortcuts({
    prompt,
    getPrompt: () => form.getValues('prompt'),
    setPrompt: (text) => form.setValue('prompt', text, { shouldValidate: form.formState.isSubmitted }),
    onSubmit: () => void submit(),
    shown: chosen?.step === 'done' ? chosen.cover.id : undefined,
    onRecall: recallCover,
    onDetails: setDetailed,
  })

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
            themeExtra={themeExtra}
          />
          <div className="mt-6 border-t border-line pt-6">
            <HistoryFold busy={busy} onUse={(line) => recall(line, 'all')} onRun={runAgain} />
          </div>
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
            withReferences={references.list.length > 0}
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
          onDetails={({ id }) => setDetailed(id)}
          onStartTheme={onStartTheme}
        />
      </div>
      {detailed !== undefined && (
        <Suspense>
          <DetailsDrawer
            coverId={detailed}
            onClose={() => setDetailed(undefined)}
            onRecall={(details: CoverDetails, what) => {
              setDetailed(undefined)
              recall(details, what)
            }}
          />
        </Suspense>
      )}
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
