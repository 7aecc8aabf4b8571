import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import type { CoverDetails, GenerationOut } from '@/api/generated'
import { getCoverDetailsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { toast } from '@/ui/overlay/toast-store'
import { briefOf } from '../history/history'
import type { Brief } from '../model/brief'

/** What to fill the form with: everything but the seed, the seed alone, or the description alone. */
export type ReusedPart = 'all' | 'seed' | 'prompt'

/** Fills the form with how a cover was made before; `onReused` then shows the form. */
export function useReuse(form: UseFormReturn<Brief>, onReused: () => void) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [reused, setReused] = useState(0)
  const latest = useRef(onReused)
  latest.current = onReused
  // not before a dialog that it was asked for in has let go of the focus
  useEffect(() => {
    if (reused > 0) latest.current()
  }, [reused])

  function reuse(made: GenerationOut | CoverDetails, what: ReusedPart) {
    const { prompt, ...others } = briefOf(made)
    const taken = what === 'all' ? { prompt, ...others } : what === 'prompt' ? { prompt } : { seed: String(made.seed) }
    for (const [name, value] of Object.entries(taken)) form.setValue(name as keyof Brief, value)
    form.clearErrors()
    toast({ title: t(`generator.reused.${what}`) })
    setReused((times) => times + 1)
  }

  const find = useMutation({
    mutationFn: ({ coverId }: { coverId: number; what: ReusedPart }) =>
      queryClient.fetchQuery(getCoverDetailsOptions({ path: { cover_id: coverId } })),
    onSuccess: (details, { what }) => reuse(details, what),
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('generator.details.loadFailed'), description: errorMessage(error), variant: 'destructive' })
    },
  })
  return { reuse, reuseCover: (coverId: number, what: ReusedPart) => find.mutate({ coverId, what }) }
}
