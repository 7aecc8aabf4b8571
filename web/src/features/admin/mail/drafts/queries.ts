import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  copyCampaign,
  createDraft,
  deleteDraft,
  type EmailDraftChange,
  type EmailDraftIn,
  listDrafts,
  saveDraft,
} from '@/api/generated'
import { getDraftOptions, listDraftsQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import { pagedQuery } from '../../api/queries'

/** What is to be read anew on each visit is forgotten so soon, in milliseconds. */
const FORGOTTEN = 1_000
/** Drafts asked for at a time. */
const DRAFTS = 10

/** A draft; forgotten when its page is left, as another administrator may change it meanwhile. */
export const draftQuery = (id: string) =>
  queryOptions({ ...getDraftOptions({ path: { draft_id: id } }), staleTime: EACH_VISIT, gcTime: FORGOTTEN })

/** The drafts of all administrators, newest first. */
export const draftsQuery = () =>
  pagedQuery(listDraftsQueryKey(), ({ signal, query }) =>
    listDrafts({ query: { ...query, limit: DRAFTS }, signal, throwOnError: true }),
  )

export const invalidateDrafts = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: listDraftsQueryKey() })

export const makeDraft = async (body: EmailDraftIn) => (await createDraft({ body, throwOnError: true })).data

export const storeDraft = async (id: string, body: EmailDraftChange) =>
  (await saveDraft({ path: { draft_id: id }, body, throwOnError: true })).data

export const removeDraft = (id: string) => deleteDraft({ path: { draft_id: id }, throwOnError: true })

/** Makes a draft of what was sent. */
export const draftOfCampaign = async (id: string) =>
  (await copyCampaign({ path: { campaign_id: id }, throwOnError: true })).data
