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
import { audienceQuery, type Campaign, countQuery, invalidateCampaigns, sendCampaign } from '../queries'
import { conditionsIn } from './segment'

type Asked = { campaign: Campaign; people: number }
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

  const tellNobody = (narrowed: boolean) =>
    toast({
      title: t('admin.bulk.emptyAudience.title'),
      description: narrowed
        ? t('admin.bulk.segment.nobody')
        : t(kind === 'broadcast' ? 'admin.emailBroadcast.noRecipients' : 'admin.emailMarketing.noRecipients'),
      variant: 'destructive',
    })

  function refuse(error: unknown, { segment }: Campaign) {
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'no_recipients') return tellNobody(conditionsIn(segment) > 0)
    if (code === 'postal_address_missing') onAddressMissing()
    else if (error instanceof ApiError && !isUnauthorized(error)) setServerErrors(error, EMAIL_FIELDS, setError)
    tellFailure(error)
  }

  const count = useMutation({
    mutationFn: async (campaign: Campaign) => {
      const { segment } = campaign
      const audience = await queryClient.fetchQuery(audienceQuery())
      const narrowed = conditionsIn(segment) > 0
      const people = narrowed ? await queryClient.fetchQuery(countQuery(kind, segment)) : audience[kind]
      return { campaign, audience, people, narrowed }
    },
    onSuccess: ({ campaign, audience, people, narrowed }) => {
      // who meets the conditions of one that goes out later is looked up then
      if (people === 0 && !campaign.sendAt) tellNobody(narrowed)
      else if (!audience.postalAddress) onAddressMissing()
      else setAsked({ campaign, people })
    },
    onError: tellFailure,
  })
  const send = useMutation({
    mutationFn: (campaign: Campaign) => {
      // asked again for want of an answer, it is the same letter: it must not go out twice
      const text = JSON.stringify(campaign)
      if (unanswered.current?.letter !== text) unanswered.current = { letter: text, key: randomKey() }
      return sendCampaign(kind, campaign, unanswered.current.key)
    },
    onSuccess: async (_, { sendAt }) => {
      unanswered.current = undefined
      onSent()
      const told = sendAt ? 'scheduled' : 'started'
      toast({ title: t(`admin.bulk.${told}.title`), description: t(`admin.bulk.${told}.body`) })
      await invalidateCampaigns(queryClient)
    },
    onError: (error, campaign) => {
      if (error instanceof ApiError && error.status > 0) unanswered.current = undefined
      refuse(error, campaign)
    },
    onSettled: () => setAsked(undefined),
  })

  return {
    asked,
    pending: count.isPending || send.isPending,
    ask: (campaign: Campaign) => count.mutate(campaign),
    confirm: () => asked && send.mutate(asked.campaign),
    withdraw: () => setAsked(undefined),
  }
}
