import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { listAttempts, listKeptMessages, listWebhooks } from '@/api/generated'
import {
  getBudgetsOptions,
  getKeptMessageOptions,
  getUsageOptions,
  listAttemptsQueryKey,
  listHealthOptions,
  listHealthQueryKey,
  listInstancesOptions,
  listInstancesQueryKey,
  listKeptMessagesQueryKey,
  listLastWebhooksOptions,
  listNoticesOptions,
  listNoticesQueryKey,
  listPluginsOptions,
  listProvidersOptions,
  listRoutesOptions,
  listRoutesQueryKey,
  listWebhooksQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { nextCursor } from '@/api/http/next-cursor'
import { EACH_VISIT } from '@/api/queries/warm'
import { i18n } from '@/i18n'
import { translateProviders } from '../provider-texts'
import type { Kind, Outcome, UsageBy } from '../types'

/** Figures on screen are asked for again so often, in milliseconds. */
const WATCHED = 10_000
/** Rows asked for at a time. */
const PAGE_SIZE = 50

export const pluginsQuery = listPluginsOptions
export const providersQuery = () => queryOptions({ ...listProvidersOptions(), select: translateProviders(i18n) })
export const failoverOrdersQuery = listRoutesOptions
export const budgetsQuery = getBudgetsOptions

/** The instances; asked for anew by each page that shows them. */
export const instancesQuery = () => queryOptions({ ...listInstancesOptions(), staleTime: EACH_VISIT })

export const healthQuery = () => queryOptions({ ...listHealthOptions(), refetchInterval: WATCHED })

const onlyOpen = { query: { open: true } }

export const noticesQuery = () => queryOptions({ ...listNoticesOptions(onlyOpen), refetchInterval: WATCHED })

export const invalidateNotices = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: listNoticesQueryKey(onlyOpen) })

/** Refetches instances, failover orders and health. */
export async function invalidateInstances(queryClient: QueryClient): Promise<void> {
  const changed = [listInstancesQueryKey(), listRoutesQueryKey(), listHealthQueryKey(), listNoticesQueryKey(onlyOpen)]
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

export const usageQuery = (by: UsageBy, from: string | undefined, to: string | undefined) =>
  queryOptions({ ...getUsageOptions({ query: { by, from, to } }), staleTime: EACH_VISIT })

export const lastWebhooksQuery = () => queryOptions({ ...listLastWebhooksOptions(), staleTime: EACH_VISIT })

export const messageQuery = (instance: string, id: string) =>
  getKeptMessageOptions({ path: { instance_id: instance, message_id: id } })

type Page<Row> = { data: Row[]; response: Response }
type Paged = { signal: AbortSignal; query: { cursor: string | undefined; limit: number } }

/** A list that comes page by page, newest first. */
export function pagedQuery<Row>(queryKey: readonly unknown[], fetchPage: (paged: Paged) => Promise<Page<Row>>) {
  return infiniteQueryOptions({
    queryKey: [...queryKey, 'pages'],
    queryFn: async ({ signal, pageParam }) => {
      const { data, response } = await fetchPage({ signal, query: { cursor: pageParam, limit: PAGE_SIZE } })
      return { rows: data, next: nextCursor(response.headers.get('link')) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    staleTime: EACH_VISIT,
  })
}

export type AttemptFilter = { kind?: Kind; instance?: string; outcome?: Outcome }

export const attemptsQuery = (filter: AttemptFilter) =>
  pagedQuery(listAttemptsQueryKey({ query: filter }), ({ signal, query }) =>
    listAttempts({ query: { ...filter, ...query }, signal, throwOnError: true }),
  )

export const webhooksQuery = (instance: string | undefined) =>
  pagedQuery(listWebhooksQueryKey({ query: { instance } }), ({ signal, query }) =>
    listWebhooks({ query: { instance, ...query }, signal, throwOnError: true }),
  )

export const invalidateWebhooks = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: listWebhooksQueryKey() })

export const invalidateMessages = (queryClient: QueryClient, instance: string) =>
  queryClient.invalidateQueries({ queryKey: listKeptMessagesQueryKey({ path: { instance_id: instance } }) })

export const messagesQuery = (instance: string) =>
  pagedQuery(listKeptMessagesQueryKey({ path: { instance_id: instance } }), ({ signal, query }) =>
    listKeptMessages({ path: { instance_id: instance }, query, signal, throwOnError: true }),
  )
