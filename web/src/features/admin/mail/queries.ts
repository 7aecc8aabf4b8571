import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type CampaignOut,
  type ChangeCampaignData,
  changeCampaign,
  countEmailAudience,
  type EmailDraftRef,
  type EmailPreviewIn,
  type EmailTemplateIn,
  type EmailTestIn,
  type ListCampaignRecipientsData,
  listCampaignRecipients,
  listCampaigns,
  previewEmail,
  saveEmailTemplate,
  savePostalAddress,
  sendBroadcast,
  sendLetterTest,
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
import { EACH_VISIT } from '@/api/queries/warm'
import { pagedQuery } from '../api/queries'
import { type Conditions, conditionsIn } from './audience/segment'
import type { CampaignKind, EmailKind } from './email-content/email-content'
import { type Letter, letterBody } from './letter/letter'

/** What is being sent is asked about so often, in milliseconds. */
const WATCHED = 2_000
/** What is to be read anew on each visit is forgotten so soon, in milliseconds; a loader is this much ahead of its page. */
const FORGOTTEN = 1_000
/** Campaigns asked for at a time. */
const CAMPAIGNS = 10

const typeOf = (kind: EmailKind) => ({ path: { template_type: kind } })

/** A template; forgotten when its page is left, as another administrator may change it meanwhile. */
export const templateQuery = (kind: EmailKind) =>
  queryOptions({ ...getEmailTemplateOptions(typeOf(kind)), staleTime: EACH_VISIT, gcTime: FORGOTTEN })

export const saveTemplate = async (kind: EmailKind, body: EmailTemplateIn) =>
  (await saveEmailTemplate({ ...typeOf(kind), body, throwOnError: true })).data

export const sendTestEmail = async (body: EmailTestIn) => (await sendTemplateTest({ body, throwOnError: true })).data

const PREVIEW = ['letter preview']

/** The rendered email; the previous one stays until the new one is there. */
export const previewQuery = (body: EmailPreviewIn) =>
  queryOptions({
    queryKey: [...PREVIEW, body],
    queryFn: async ({ signal }) => (await previewEmail({ body, signal, throwOnError: true })).data,
    enabled: body.htmlBody.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

/** Refetches what depends on the postal address: the audience, and the foot of emails. */
export const invalidatePostalAddress = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: getEmailAudienceQueryKey() }),
    queryClient.invalidateQueries({ queryKey: PREVIEW }),
  ])

export const audienceQuery = () => queryOptions({ ...getEmailAudienceOptions(), staleTime: EACH_VISIT })

export const sendPostalAddress = async (postalAddress: string) =>
  (await savePostalAddress({ body: { postalAddress }, throwOnError: true })).data

const sending = { broadcast: sendBroadcast, marketing: sendMarketing }

const NUMBER = ['email audience, counted']

/** How many people would get an email now; the previous number stays until the new one is there. */
export const countQuery = (kind: CampaignKind, segment: Conditions) =>
  queryOptions({
    queryKey: [...NUMBER, kind, segment],
    queryFn: async ({ signal }) =>
      (await countEmailAudience({ body: { kind, segment }, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
    staleTime: EACH_VISIT,
    gcTime: FORGOTTEN,
  })

/** An email to many, to whom it goes, and the moment; undefined: at once. `draft` ends with it. */
export type Campaign = {
  letter: Letter
  replyTo: string
  segment: Conditions
  sendAt: Date | undefined
  draft: EmailDraftRef | undefined
}

/** `key` makes repeated requests send the campaign once. */
export const sendCampaign = async (
  kind: CampaignKind,
  { letter, replyTo, segment, sendAt, draft }: Campaign,
  key: string,
) => {
  const body = {
    ...{ ...letterBody(letter), replyTo, messageStream: 'broadcast' as const },
    ...(draft && { draft }),
    ...(conditionsIn(segment) > 0 && { segment }),
    ...(sendAt && { sendAt: sendAt.toISOString() }),
  }
  return (await sending[kind]({ body, headers: { 'Idempotency-Key': key }, throwOnError: true })).data
}

type LetterTest = {
  kind: CampaignKind
  letter: Letter
  replyTo: string
  to: string[]
  /** Empty: all languages. */
  only: string
}

export const sendLetterTests = async ({ letter, ...test }: LetterTest) =>
  (await sendLetterTest({ body: { ...letterBody(letter), ...test }, throwOnError: true })).data

/** The campaigns, newest first; polled while one is being sent. */
export const campaignsQuery = () =>
  infiniteQueryOptions({
    ...pagedQuery(listCampaignsQueryKey(), ({ signal, query }) =>
      listCampaigns({ query: { ...query, limit: CAMPAIGNS }, signal, throwOnError: true }),
    ),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ rows }) => rows.some(isOnItsWay)) ? WATCHED : false),
  })

const isOnItsWay = ({ state, pending }: CampaignOut) =>
  state === 'sending' || state === 'scheduled' || (state === 'canceled' && pending > 0)

export const invalidateCampaigns = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: listCampaignsQueryKey() })

export type CampaignStep = ChangeCampaignData['path']['step']

export const changeCampaignState = async (step: CampaignStep, id: string) =>
  (await changeCampaign({ path: { campaign_id: id, step }, throwOnError: true })).data

export type RecipientFilter = NonNullable<NonNullable<ListCampaignRecipientsData['query']>['state']>

/** The address of the recipients as a file. */
export const recipientsFile = (id: string, state: RecipientFilter | undefined) =>
  `/api/admin/email/campaigns/${id}/recipients/file${state ? `?state=${state}` : ''}`

/** The recipients of a campaign; `state` filters them. */
export const recipientsQuery = (id: string, state: RecipientFilter | undefined) => {
  const path = { campaign_id: id }
  return pagedQuery(listCampaignRecipientsQueryKey({ path, query: { state } }), ({ signal, query }) =>
    listCampaignRecipients({ path, query: { state, ...query }, signal, throwOnError: true }),
  )
}
