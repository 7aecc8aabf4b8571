import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { UseFormSetError } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import { placeErrors } from '@/api/place-errors'
import { requestKey } from '@/lib/request-key'
import { toast } from '@/ui/toast-store'
import { useFailureToast } from '../failure-toast'
import { type Bulk, LETTER_FIELDS, type Letter } from './letter'
import { audienceQuery, refreshCampaigns, sendToAll } from './queries'

type Asked = { letter: Letter; people: number }
type After = { onAddressMissing: () => void; onSent: () => void; setError: UseFormSetError<Letter> }

/** Asks how many a letter would go to, then for a yes, then sends it. */
export function useSending(kind: Bulk, { onAddressMissing, onSent, setError }: After) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const tellFailure = useFailureToast(
    t(kind === 'broadcast' ? 'admin.emailBroadcast.failed' : 'admin.emailMarketing.failed'),
  )
  const [asked, setAsked] = useState<Asked>()
  const unanswered = useRef<{ letter: string; key: string }>(undefined)

  const tellNobody = () =>
    toast({
      title: t('admin.bulk.nobody.title'),
      description: t(kind === 'broadcast' ? 'admin.emailBroadcast.nobody' : 'admin.emailMarketing.nobody'),
      variant: 'destructive',
    })

  function refuse(error: unknown) {
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'no_recipients') return tellNobody()
    if (code === 'postal_address_missing') onAddressMissing()
    else if (error instanceof ApiError && !isUnauthorized(error)) placeErrors(error, LETTER_FIELDS, setError)
    tellFailure(error)
  }

  const count = useMutation({
    mutationFn: async (letter: Letter) => ({ letter, audience: await queries.fetchQuery(audienceQuery()) }),
    onSuccess: ({ letter, audience }) => {
      const people = audience[kind]
      if (people === 0) tellNobody()
      else if (!audience.postalAddress) onAddressMissing()
      else setAsked({ letter, people })
    },
    onError: tellFailure,
  })
  const send = useMutation({
    mutationFn: (letter: Letter) => {
      // asked again for want of an answer, it is the same letter: it must not go out twice
      const text = JSON.stringify(letter)
      if (unanswered.current?.letter !== text) unanswered.current = { letter: text, key: requestKey() }
      return sendToAll(kind, letter, unanswered.current.key)
    },
    onSuccess: async () => {
      unanswered.current = undefined
      onSent()
      toast({ title: t('admin.bulk.started.title'), description: t('admin.bulk.started.body') })
      await refreshCampaigns(queries)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status > 0) unanswered.current = undefined
      refuse(error)
    },
    onSettled: () => setAsked(undefined),
  })

  return {
    asked,
    pending: count.isPending || send.isPending,
    ask: (letter: Letter) => count.mutate(letter),
    confirm: () => asked && send.mutate(asked.letter),
    withdraw: () => setAsked(undefined),
  }
}
