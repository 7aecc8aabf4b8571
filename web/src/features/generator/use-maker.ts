import { valibotResolver } from '@hookform/resolvers/valibot'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { getCapabilitiesOptions, getGeneratorSettingsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries'
import { toast } from '@/ui/toast-store'
import { type Brief, briefSchema, serviceOf, toRequest } from './brief'
import { chosenOf } from './generation'
import { useRecall } from './recall'
import { toWire } from './references/reference'
import { useReferences } from './references/use-references'
import type { Order } from './remembered'
import { useGeneration } from './use-generation'
import { useGeneratorShortcuts } from './use-generator-shortcuts'
import { useRefusals } from './use-refusals'

type Options = {
  /** What the form says at first. */
  initial: Brief
  prompt: RefObject<HTMLTextAreaElement | null>
  /** The theme whose covers are made, always after pictures. */
  theme?: { id: number; stylePrompt: string }
}

export type Maker = ReturnType<typeof useMaker>

/** All that making covers takes: the form, its references, what the plan leaves, and what becomes of an order. */
export function useMaker({ initial, prompt, theme }: Options) {
  const { t } = useTranslation()
  const user = useUser()
  const { data: settings } = useQuery(getGeneratorSettingsOptions())
  const { data: image } = useQuery({ ...getCapabilitiesOptions(), select: (capabilities) => capabilities.image })
  const form = useForm<Brief>({
    resolver: (...args) => valibotResolver(briefSchema(settings))(...args),
    defaultValues: initial,
    // every broken rule at once, not the first one only
    criteriaMode: 'all',
  })
  const typed = { ...initial, ...useWatch({ control: form.control }) }
  const service = serviceOf(typed, image?.choices ?? [])
  const references = useReferences(service?.references ?? image?.references ?? 0)
  const refusals = useRefusals(form)
  const control = useGeneration({ reader: user?.id, onRefused: refusals.onRefused, provider: service?.label })
  const [detailed, setDetailed] = useState<number>()
  const { recall, recallCover } = useRecall(form, () => prompt.current?.focus())

  const most = image?.maxVariants ?? 1
  const affordable = (wanted: number) => Math.max(1, Math.min(wanted, most, refusals.allowance?.left ?? most))
  const count = affordable(typed.count)
  const missing = theme !== undefined && references.list.length === 0

  /** The order as the server takes it, with the pictures it is to be made after. */
  async function prepare(brief: Brief): Promise<Order> {
    const order = toRequest({ ...brief, count }, settings, image?.choices)
    const series = theme && { themeId: theme.id, themeStylePrompt: theme.stylePrompt }
    return references.list.length > 0 ? { ...order, ...series, ...(await toWire(references.list)) } : order
  }

  const submit = () =>
    void form.handleSubmit(
      (brief) => {
        if (references.reading || missing) return
        refusals.setReferenceError(undefined)
        if (refusals.words) refusals.tellLimit(refusals.words)
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
    onSubmit: submit,
    shown: chosen?.step === 'done' ? chosen.cover.id : undefined,
    onRecall: recallCover,
    onDetails: setDetailed,
  })

  return {
    form,
    typed,
    prompt,
    settings,
    image,
    service,
    references,
    refusals,
    control,
    most,
    count,
    affordable,
    missing,
    submit,
    recall,
    recallCover,
    detailed,
    setDetailed,
  }
}
