import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import type { CoverDetails, GenerationOut } from '@/api/generated'
import { getCoverDetailsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { sentenceOf } from '@/api/sentence'
import { toast } from '@/ui/toast-store'
import type { Brief } from './brief'
import { briefOf } from './history/history'

/** What is taken over into the form: everything but the seed, the seed, or the description alone. */
export type Recalled = 'all' | 'seed' | 'prompt'

/** Takes over into the form how something was made before; `onRecalled` then shows the form. */
export function useRecall(form: UseFormReturn<Brief>, onRecalled: () => void) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [recalled, setRecalled] = useState(0)
  const latest = useRef(onRecalled)
  latest.current = onRecalled
  // not before a dialog that it was asked for in has let go of the focus
  useEffect(() => {
    if (recalled > 0) latest.current()
  }, [recalled])

  function recall(made: GenerationOut | CoverDetails, what: Recalled) {
    const { prompt, ...others } = briefOf(made)
    const taken = what === 'all' ? { prompt, ...others } : what === 'prompt' ? { prompt } : { seed: String(made.seed) }
    for (const [name, value] of Object.entries(taken)) form.setValue(name as keyof Brief, value)
    form.clearErrors()
    toast({ title: t(`generator.recalled.${what}`) })
    setRecalled((times) => times + 1)
  }

  const find = useMutation({
    mutationFn: ({ coverId }: { coverId: number; what: Recalled }) =>
      client.fetchQuery(getCoverDetailsOptions({ path: { cover_id: coverId } })),
    onSuccess: (details, { what }) => recall(details, what),
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('generator.details.unread'), description: sentenceOf(error), variant: 'destructive' })
    },
  })
  return { recall, recallCover: (coverId: number, what: Recalled) => find.mutate({ coverId, what }) }
}
