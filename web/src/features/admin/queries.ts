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
import { nextCursor } from '@/api/next-cursor'
import { i18n } from '@/i18n'
import { inLanguage } from './provider-texts'
import type { Kind, Outcome, UsageBy } from './wire'

/** Figures on screen are asked for again so often, in milliseconds. */
const WATCHED = 10_000
/** Rows asked for at a time. */
const PAGE_SIZE = 50

export const pluginsQuery = listPluginsOptions
export const providersQuery = () => queryOptions({ ...listProvidersOptions(), select: inLanguage(i18n) })
export const routesQuery = listRoutesOptions
export const budgetsQuery = getBudgetsOptions

/** The instances; asked for anew by each page that shows them. */
export const instancesQuery = () => queryOptions({ ...listInstancesOptions(), staleTime: 0 })

export const healthQuery = () => queryOptions({ ...listHealthOptions(), refetchInterval: WATCHED })

const onlyOpen = { query: { open: true } }

export const noticesQuery = () => queryOptions({ ...listNoticesOptions(onlyOpen), refetchInterval: WATCHED })

export const refreshNotices = (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: listNoticesQueryKey(onlyOpen) })

/** After a change: what instances are, in which order they are used, and how they do. */
export async function refreshInstances(queries: QueryClient): Promise<void> {
  const changed = [listInstancesQueryKey(), listRoutesQueryKey(), listHealthQueryKey(), listNoticesQueryKey(onlyOpen)]
  await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

export const usageQuery = (by: UsageBy, from: string | undefined, to: string | undefined) =>
  queryOptions({ ...getUsageOptions({ query: { by, from, to } }), staleTime: 0 })

export const lastWebhooksQuery = () => queryOptions({ ...listLastWebhooksOptions(), staleTime: 0 })

export const messageQuery = (instance: string, id: string) =>
  getKeptMessageOptions({ path: { instance_id: instance, message_id: id } })

type Page<Row> = { data: Row[]; response: Response }
type Paged = { signal: AbortSignal; query: { cursor: string | undefined; limit: number } }

/** A list that comes page by page, newest first. */
export function pages<Row>(queryKey: readonly unknown[], fetchPage: (paged: Paged) => Promise<Page<Row>>) {
  return infiniteQueryOptions({
    queryKey: [...queryKey, 'pages'],
    queryFn: async ({ signal, pageParam }) => {
      const { data, response } = await fetchPage({ signal, query: { cursor: pageParam, limit: PAGE_SIZE } })
      return { rows: data, next: nextCursor(response.headers.get('link')) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    staleTime: 0,
  })
}

export type AttemptFilter = { kind?: Kind; instance?: string; outcome?: Outcome }

export const attemptsQuery = (filter: AttemptFilter) =>
  pages(listAttemptsQueryKey({ query: filter }), ({ signal, query }) =>
    listAttempts({ query: { ...filter, ...query }, signal, throwOnError: true }),
  )

export const webhooksQuery = (instance: string | undefined) =>
  pages(listWebhooksQueryKey({ query: { instance } }), ({ signal, query }) =>
    listWebhooks({ query: { instance, ...query }, signal, throwOnError: true }),
  )

export const refreshWebhooks = (queries: QueryClient) => queries.invalidateQueries({ queryKey: listWebhooksQueryKey() })

export const refreshMessages = (queries: QueryClient, instance: string) =>
  queries.invalidateQueries({ queryKey: listKeptMessagesQueryKey({ path: { instance_id: instance } }) })

export const messagesQuery = (instance: string) =>
  pages(listKeptMessagesQueryKey({ path: { instance_id: instance } }), ({ signal, query }) =>
    listKeptMessages({ path: { instance_id: instance }, query, signal, throwOnError: true }),
  )
