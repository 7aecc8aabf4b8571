import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { UseFormSetError } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { setServerErrors } from '@/api/errors/set-server-errors'
import { randomKey } from '@/lib/random-key'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { type CampaignKind, EMAIL_FIELDS, type EmailContent } from '../email-content/email-content'
import { audienceQuery, invalidateCampaigns, sendCampaign } from '../queries'

type Asked = { letter: EmailContent; people: number }
type After = { onAddressMissing: () => void; onSent: () => void; setError: UseFormSetError<EmailContent> }

/** Fetches the number of recipients, asks the administrator to confirm, then sends the campaign. */
export function useSendCampaign(kind: CampaignKind, { onAddressMissing, onSent, setError }: After) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const tellFailure = useFailureToast(
    t(kind === 'broadcast' ? 'admin.emailBroadcast.failed' : 'admin.emailMarketing.failed'),
  )
  const [asked, setAsked] = useState<Asked>()
  const unanswered = useRef<{ letter: string; key: string }>(undefined)

  const tellNobody = () =>
    toast({
      title: t('admin.bulk.emptyAudience.title'),
      description: t(kind === 'broadcast' ? 'admin.emailBroadcast.noRecipients' : 'admin.emailMarketing.noRecipients'),
      variant: 'destructive',
    })

  function refuse(error: unknown) {
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'no_recipients') return tellNobody()
    if (code === 'postal_address_missing') onAddressMissing()
    else if (error instanceof ApiError && !isUnauthorized(error)) setServerErrors(error, EMAIL_FIELDS, setError)
    tellFailure(error)
  }

  const count = useMutation({
    mutationFn: async (letter: EmailContent) => ({ letter, audience: await queryClient.fetchQuery(audienceQuery()) }),
    onSuccess: ({ letter, audience }) => {
      const people = audience[kind]
      if (people === 0) tellNobody()
      else if (!audience.postalAddress) onAddressMissing()
      else setAsked({ letter, people })
    },
    onError: tellFailure,
  })
  const send = useMutation({
    mutationFn: (letter: EmailContent) => {
      // asked again for want of an answer, it is the same letter: it must not go out twice
      const text = JSON.stringify(letter)
      if (unanswered.current?.letter !== text) unanswered.current = { letter: text, key: randomKey() }
      return sendCampaign(kind, letter, unanswered.current.key)
    },
    onSuccess: async () => {
      unanswered.current = undefined
      onSent()
      toast({ title: t('admin.bulk.started.title'), description: t('admin.bulk.started.body') })
      await invalidateCampaigns(queryClient)
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
    ask: (letter: EmailContent) => count.mutate(letter),
    confirm: () => asked && send.mutate(asked.letter),
    withdraw: () => setAsked(undefined),
  }
}
