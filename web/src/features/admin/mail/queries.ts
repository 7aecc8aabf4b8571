import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type CampaignOut,
  type ChangeCampaignData,
  changeCampaign,
  type EmailPreviewIn,
  type EmailTemplateIn,
  type EmailTestIn,
  listCampaignRecipients,
  listCampaigns,
  previewEmail,
  type RecipientOut,
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
import { pages } from '../queries'
import type { Bulk, Kind, Letter } from './letter'

/** What is being sent is asked about so often, in milliseconds. */
const WATCHED = 2_000
/** Campaigns asked for at a time. */
const CAMPAIGNS = 10

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
    ...pages(listCampaignsQueryKey(), ({ signal, query }) =>
      listCampaigns({ query: { ...query, limit: CAMPAIGNS }, signal, throwOnError: true }),
    ),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ rows }) => rows.some(isOnItsWay)) ? WATCHED : false),
  })

const isOnItsWay = ({ state, pending }: CampaignOut) => state === 'sending' || (state === 'canceled' && pending > 0)

export const refreshCampaigns = (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: listCampaignsQueryKey() })

export type Step = ChangeCampaignData['path']['step']

export const takeStep = async (step: Step, id: string) =>
  (await changeCampaign({ path: { campaign_id: id, step }, throwOnError: true })).data

/** Who got a letter, and who did not; `state` narrows it down. */
export const recipientsQuery = (id: string, state: RecipientOut['state'] | undefined) => {
  const path = { campaign_id: id }
  return pages(listCampaignRecipientsQueryKey({ path, query: { state } }), ({ signal, query }) =>
    listCampaignRecipients({ path, query: { state, ...query }, signal, throwOnError: true }),
  )
}
