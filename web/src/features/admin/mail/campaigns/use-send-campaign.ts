import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { randomKey } from '@/lib/random-key'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { conditionsIn } from '../audience/segment'
import { invalidateDrafts } from '../drafts/queries'
import type { CampaignKind } from '../email-content/email-content'
import { audienceQuery, type Campaign, countQuery, invalidateCampaigns, sendCampaign } from '../queries'

type Asked = { campaign: Campaign; people: number }
type After = {
  onAddressMissing: () => void
  onSent: () => void
  onRefused: (error: ApiError) => void
  /** It is not sent after all, or not yet. */
  onBack: () => void
}

/** Fetches the number of recipients, asks the administrator to confirm, then sends the campaign. */
export function useSendCampaign(kind: CampaignKind, { onAddressMissing, onSent, onRefused, onBack }: After) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const tellFailure = useFailureToast(
    t(kind === 'broadcast' ? 'admin.emailBroadcast.failed' : 'admin.emailMarketing.failed'),
  )
  const [asked, setAsked] = useState<Asked>()
  const unanswered = useRef<{ letter: string; draft: Campaign['draft']; key: string }>(undefined)

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
    else if (error instanceof ApiError && !isUnauthorized(error)) onRefused(error)
    tellFailure(error)
  }

  const count = useMutation({
    mutationFn: async (campaign: Campaign) => {
      const { segment } = campaign
      const audience = await queryClient.fetchQuery(audienceQuery())
      const narrowed = conditionsIn(segment) > 0
      const people = narrowed ? (await queryClient.fetchQuery(countQuery(kind, segment))).people : audience[kind]
      return { campaign, audience, people, narrowed }
    },
    onSuccess: ({ campaign, audience, people, narrowed }) => {
      // who meets the conditions of one that goes out later is looked up then
      if (people > 0 || campaign.sendAt) {
        if (audience.postalAddress) return setAsked({ campaign, people })
        onAddressMissing()
      } else tellNobody(narrowed)
      onBack()
    },
    onError: (error) => {
      onBack()
      tellFailure(error)
    },
  })
  const send = useMutation({
    mutationFn: (campaign: Campaign) => {
      // asked again for want of an answer, it is the same letter, whether it was kept meanwhile or not: it must not go
      // out twice
      const { draft, ...letter } = campaign
      const text = JSON.stringify(letter)
      if (unanswered.current?.letter !== text) unanswered.current = { letter: text, draft, key: randomKey() }
      return sendCampaign(kind, { ...letter, draft: unanswered.current.draft }, unanswered.current.key)
    },
    onSuccess: async (_, { sendAt }) => {
      unanswered.current = undefined
      onSent()
      const told = sendAt ? 'scheduled' : 'started'
      toast({ title: t(`admin.bulk.${told}.title`), description: t(`admin.bulk.${told}.body`) })
      await Promise.all([invalidateCampaigns(queryClient), invalidateDrafts(queryClient)])
    },
    onError: (error, campaign) => {
      if (error instanceof ApiError && error.status > 0) unanswered.current = undefined
      onBack()
      refuse(error, campaign)
    },
    onSettled: () => setAsked(undefined),
  })

  return {
    asked,
    pending: count.isPending || send.isPending,
    ask: (campaign: Campaign) => count.mutate(campaign),
    confirm: () => asked && send.mutate(asked.campaign),
    withdraw: () => {
      setAsked(undefined)
      onBack()
    },
  }
}
