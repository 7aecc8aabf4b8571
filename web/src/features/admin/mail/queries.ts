import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type CampaignOut,
  cancelCampaign,
  type EmailPreviewIn,
  type EmailTemplateIn,
  type EmailTestIn,
  listCampaignRecipients,
  listCampaigns,
  pauseCampaign,
  previewEmail,
  type RecipientOut,
  resumeCampaign,
  saveEmailTemplate,
  savePostalAddress,
  sendBroadcast,
  sendMarketing,
  sendTemplateTest,
} from '@/api/generated'
import {
  getEmailAudienceOptions,
  getEmailAudienceQueryKey,
  getEmailTemplateOptions,
  listCampaignRecipientsQueryKey,
  listCampaignsQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { nextCursor } from '@/api/next-cursor'
import type { Bulk, Kind, Letter } from './letter'

/** What is being sent is asked about so often, in milliseconds. */
const WATCHED = 2_000
/** Rows asked for at a time. */
const CAMPAIGNS = 10
const RECIPIENTS = 50

const typeOf = (kind: Kind) => ({ path: { template_type: kind } })

export const templateQuery = (kind: Kind) => queryOptions({ ...getEmailTemplateOptions(typeOf(kind)), staleTime: 0 })

export const saveTemplate = async (kind: Kind, body: EmailTemplateIn) =>
  (await saveEmailTemplate({ ...typeOf(kind), body, throwOnError: true })).data

export const sendTestLetter = async (body: EmailTestIn) => (await sendTemplateTest({ body, throwOnError: true })).data

const PREVIEW = ['letter preview']

/** A letter as it would go out; what it was before stays until the new one is there. */
export const previewQuery = (body: EmailPreviewIn) =>
  queryOptions({
    queryKey: [...PREVIEW, body],
    queryFn: async ({ signal }) => (await previewEmail({ body, signal, throwOnError: true })).data,
    enabled: body.htmlBody.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

/** After the operator's address was changed: whom one can write to, and what stands at the foot of a letter. */
export const refreshAddress = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: getEmailAudienceQueryKey() }),
    queries.invalidateQueries({ queryKey: PREVIEW }),
  ])

export const audienceQuery = () => queryOptions({ ...getEmailAudienceOptions(), staleTime: 0 })

export const keepPostalAddress = async (postalAddress: string) =>
  (await savePostalAddress({ body: { postalAddress }, throwOnError: true })).data

const sending = { broadcast: sendBroadcast, marketing: sendMarketing }

/** `key` makes sure that a letter goes out once however often it is asked for. */
export const sendToAll = async (kind: Bulk, { subject, htmlBody, replyTo }: Letter, key: string) => {
  const body = { subject, htmlBody, replyTo, messageStream: 'broadcast' as const }
  return (await sending[kind]({ body, headers: { 'Idempotency-Key': key }, throwOnError: true })).data
}

/** What was sent to many, the last one first; looked at again while anything is on its way. */
export const campaignsQuery = () =>
  infiniteQueryOptions({
    queryKey: [...listCampaignsQueryKey(), 'pages'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { cursor: pageParam, limit: CAMPAIGNS }
      const { data, response } = await listCampaigns({ query, signal, throwOnError: true })
      return { rows: data, next: nextCursor(response.headers.get('link')) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ rows }) => rows.some(isOnItsWay)) ? WATCHED : false),
  })

const isOnItsWay = ({ state, pending }: CampaignOut) => state === 'sending' || (state === 'canceled' && pending > 0)

export const refreshCampaigns = (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: listCampaignsQueryKey() })

const steps = { pause: pauseCampaign, resume: resumeCampaign, cancel: cancelCampaign }
export type Step = keyof typeof steps

export const takeStep = async (step: Step, id: string) =>
  (await steps[step]({ path: { campaign_id: id }, throwOnError: true })).data

/** Who got a letter, and who did not; `state` narrows it down. */
export const recipientsQuery = (id: string, state: RecipientOut['state'] | undefined) => {
  const path = { campaign_id: id }
  return infiniteQueryOptions({
    queryKey: [...listCampaignRecipientsQueryKey({ path, query: { state } }), 'pages'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { state, cursor: pageParam, limit: RECIPIENTS }
      const { data, response } = await listCampaignRecipients({ path, query, signal, throwOnError: true })
      return { rows: data, next: nextCursor(response.headers.get('link')) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    staleTime: 0,
  })
}
