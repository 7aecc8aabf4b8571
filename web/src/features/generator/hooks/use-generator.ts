import { valibotResolver } from '@hookform/resolvers/valibot'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { FieldErrors } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { getCapabilitiesOptions, getGeneratorSettingsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries/site'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import {
  BRIEF_FIELDS,
  type Brief,
  briefSchema,
  MORE_WORDS,
  NO_THEME,
  serviceOf,
  toRequest,
  wordsOf,
} from '../model/brief'
import type { Failure } from '../model/failure'
import { trimSize } from '../model/formats'
import { chosenOf } from '../model/generation'
import { generatorName, type Order } from '../model/pending-generations'
import { hasWords } from '../preview/preview-style'
import { usePreview } from '../preview/use-preview'
import { useSketch } from '../preview/use-sketch'
import { toReferenceRequest } from '../references/reference'
import { useReferences } from '../references/use-references'
import { useGeneration } from './use-generation'
import { useGenerationErrors } from './use-generation-errors'
import { useGeneratorShortcuts } from './use-generator-shortcuts'
import { usePinnedSeed } from './use-pinned-seed'
import { useReuse } from './use-reuse'

type Options = {
  /** What the form says at first. */
  initial: Brief
  prompt: RefObject<HTMLTextAreaElement | null>
  /** The theme whose covers are made, always after pictures; `look` is the style of a series, in which words are set. */
  theme?: { id: number; stylePrompt: string; look: string }
}

export type Generator = ReturnType<typeof useGenerator>

/** The state of the generator: the form, its references, what the plan leaves, and the running generation. */
export function useGenerator({ initial, prompt, theme }: Options) {
  const { t } = useTranslation()
  const user = useUser()
  const { data: settings } = useQuery(getGeneratorSettingsOptions())
  const { data: image } = useQuery({ ...getCapabilitiesOptions(), select: (capabilities) => capabilities.image })
  const { form, typed, onSubmit, reset } = useServerForm<Brief, Brief, void>({
    resolver: (...args) => valibotResolver(briefSchema(settings))(...args),
    values: initial,
    fields: BRIEF_FIELDS,
    submit: order,
    onInvalid: sayMissingPrompt,
  })
  const service = serviceOf(typed, image?.choices ?? [])
  const references = useReferences(service?.references ?? image?.references ?? 0)
  const errors = useGenerationErrors(form)
  const control = useGeneration({
    generator: generatorName(theme?.id),
    reader: user?.id,
    onRefused: errors.onRefused,
    provider: service?.label,
  })
  const [detailed, setDetailed] = useState<number>()
  const { reuse, reuseCover } = useReuse(form, () => prompt.current?.focus())

  const { generation } = control
  const repeated = 'look' in generation ? generation.look : undefined
  const usual = settings?.defaultValues
  const themeId = theme?.id ?? (typed.theme === NO_THEME ? null : Number(typed.theme))
  const preview = usePreview(
    repeated ?? {
      words: {
        ...wordsOf(typed),
        title: typed.title || usual?.title || '',
        author: typed.author || usual?.author || '',
      },
      genre: typed.genre,
      trim: trimSize(typed.dimensions, typed.customWidth, typed.customHeight),
      themeId,
      style: typed.style || theme?.look || '',
    },
    typed.prompt.trim() !== '',
  )
  // a service that sets type itself sets title and author only, and in its own way: the press does all else, and what
  // could be seen before but for its references: the files of the reader are too large to be sent while one types
  const isOwnWay = MORE_WORDS.every((name) => !typed[name].trim()) && !typed.style && !theme?.look
  const canSketch = (service ?? image)?.sketches === true
  const isUnseen = canSketch && references.list.some(({ kind }) => kind === 'upload')
  const setsType = (service ?? image)?.lettersByModel === false && isOwnWay && !isUnseen
  const by = setsType ? 'service' : typed.lettersByModel ? 'model' : 'press'
  const depicts = (service ?? image)?.depicts ?? false

  const most = image?.maxVariants ?? 1
  const affordable = (wanted: number) => Math.max(1, Math.min(wanted, most, errors.allowance?.left ?? most))
  const count = affordable(typed.count)
  const missing = theme !== undefined && references.list.length === 0
  const series = theme && { themeId: theme.id, themeStylePrompt: theme.stylePrompt }

  // what is seen while typing is made with the same seed
  const pinned = usePinnedSeed(generation)
  const sketches = setsType && canSketch && !missing
  const isDescribed = typed.prompt.trim() !== '' || Boolean(usual?.prompt)
  const isSketched = sketches && !repeated && isDescribed && hasWords(preview.look)
  const covers = references.list.flatMap((reference) => (reference.kind === 'cover' ? [reference.cover.id] : []))
  const sketch = useSketch(
    isSketched
      ? { ...request(typed, 1), ...series, ...(covers.length > 0 && { referenceImageIds: covers }) }
      : undefined,
  )
  const lettering = {
    by: isSketched ? 'sketch' : by,
    service: service?.label ?? image?.provider ?? '',
  } as const

  function request(brief: Brief, many: number) {
    const style = brief.style || (by === 'press' && preview.style) || ''
    const elements = depicts ? brief.elements : null
    const seed = brief.seed.trim() || (sketches ? String(pinned) : '')
    return toRequest({ ...brief, style, elements, seed, count: many }, settings, image?.choices)
  }

  /** The order as the server takes it, with the pictures it is to be made after. */
  async function prepare(brief: Brief): Promise<Order> {
    const order = request(brief, count)
    return references.list.length > 0 ? { ...order, ...series, ...(await toReferenceRequest(references.list)) } : order
  }

  /** Starts a generation; what the server refuses of it comes back through `errors`. */
  async function order(brief: Brief): Promise<void> {
    if (references.reading || missing) return
    errors.setReferenceError(undefined)
    if (await errors.isRefusedByLimit()) return
    void control.generate(() => prepare(brief), count)
  }

  function sayMissingPrompt({ prompt }: FieldErrors<Brief>): void {
    if (form.getValues('prompt').trim() || !prompt) return
    toast({
      title: t('generator.missingPrompt.title'),
      description: t('generator.missingPrompt.body'),
      variant: 'destructive',
    })
  }

  const submit = () => void onSubmit()

  /** The first other service that the reader may choose, which is then asked for the same. */
  function elsewhere({ provider: refusedBy = image?.provider ?? undefined }: Failure) {
    const other = image?.choices.find(
      ({ label, references: takes }) => label !== refusedBy && takes >= references.list.length,
    )
    if (!other) return undefined
    const onTry = () => {
      form.setValue('service', other.instanceId)
      form.setValue('model', '')
      submit()
    }
    return { label: other.label, onTry }
  }

  const chosen = chosenOf(control.generation)
  useGeneratorShortcuts({
    prompt,
    getPrompt: () => form.getValues('prompt'),
    setPrompt: (text) => form.setValue('prompt', text, { shouldValidate: form.formState.isSubmitted }),
    onSubmit: submit,
    shown: chosen?.step === 'done' ? chosen.cover.id : undefined,
    onReuse: reuseCover,
    onDetails: setDetailed,
  })

  return {
    form,
    reset,
    typed,
    prompt,
    settings,
    image,
    service,
    // a service that set the words its own way is not known to set them so again: the book stands there without
    preview: { ...preview, isSketched, sketch, ...(repeated?.style === '' && { svg: undefined, isAway: false }) },
    lettering,
    references,
    errors: errors,
    control,
    most,
    count,
    affordable,
    missing,
    submit,
    elsewhere,
    reuse,
    reuseCover,
    detailed,
    setDetailed,
  }
}
