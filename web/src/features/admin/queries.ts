import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  listInstancesOptions,
  listInstancesQueryKey,
  listPluginsOptions,
  listProvidersOptions,
  listRoutesOptions,
  listRoutesQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { client } from '@/api/generated/client.gen'
import { nextCursor } from '@/api/next-cursor'
import type {
  Attempt,
  Budgets,
  BudgetsIn,
  Health,
  LastWebhook,
  Message,
  MessageHead,
  Notice,
  TestSent,
  Usage,
  UsageBy,
  Webhook,
} from './wire'

/** Figures on screen are asked for again so often, in milliseconds. */
const WATCHED = 10_000
/** Rows asked for at a time. */
const PAGE_SIZE = 50

export const pluginsQuery = listPluginsOptions
export const providersQuery = listProvidersOptions
export const routesQuery = listRoutesOptions
export const instancesQuery = listInstancesOptions

/** After a change: what instances are, and in which order they are used. */
export async function refreshInstances(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: listInstancesQueryKey() }),
    queries.invalidateQueries({ queryKey: listRoutesQueryKey() }),
    queries.invalidateQueries({ queryKey: healthQuery().queryKey }),
    queries.invalidateQueries({ queryKey: noticesQuery().queryKey }),
  ])
}

type Query = Record<string, string | number | undefined>

async function read<Body>(url: string, signal: AbortSignal, query?: Query): Promise<Body> {
  const { data } = await client.get<{ 200: Body }, unknown, true>({ url, signal, query })
  return data as Body
}

export const healthQuery = () =>
  queryOptions({
    queryKey: ['admin', 'health'],
    queryFn: ({ signal }) => read<Health[]>('/api/admin/health', signal),
    refetchInterval: WATCHED,
  })

export const noticesQuery = () =>
  queryOptions({
    queryKey: ['admin', 'notices'],
    queryFn: ({ signal }) => read<Notice[]>('/api/admin/notices', signal, { open: 'true' }),
    refetchInterval: WATCHED,
  })

export const dismissNotice = (id: number) => client.post({ url: `/api/admin/notices/${id}/dismiss` })

export const budgetsQuery = () =>
  queryOptions({
    queryKey: ['admin', 'budgets'],
    queryFn: ({ signal }) => read<Budgets>('/api/admin/budgets', signal),
  })

export async function saveBudgets(body: BudgetsIn): Promise<Budgets> {
  const { data } = await client.put<{ 200: Budgets }, unknown, true>({
    url: '/api/admin/budgets',
    body,
    headers: { 'content-type': 'application/json' },
  })
  return data as Budgets
}

export const usageQuery = (by: UsageBy, from: string | undefined, to: string | undefined) =>
  queryOptions({
    queryKey: ['admin', 'usage', by, from, to],
    queryFn: ({ signal }) => read<Usage>('/api/admin/usage', signal, { by, from, to }),
    staleTime: 0,
  })

/** A list that comes page by page, newest first. */
function pages<Row>(url: string, filter: Query) {
  return infiniteQueryOptions({
    queryKey: ['admin', url, filter],
    queryFn: async ({ signal, pageParam }) => {
      const { data, response } = await client.get<{ 200: Row[] }, unknown, true>({
        url,
        signal,
        query: { ...filter, limit: PAGE_SIZE, cursor: pageParam },
      })
      return { rows: data as Row[], next: nextCursor(response.headers.get('link')) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    staleTime: 0,
  })
}

export type AttemptFilter = { kind?: string; instance?: string; outcome?: string }

export const attemptsQuery = (filter: AttemptFilter) => pages<Attempt>('/api/admin/attempts', filter)
export const webhooksQuery = (instance: string | undefined) => pages<Webhook>('/api/admin/webhooks', { instance })
export const messagesQuery = (instance: string) => pages<MessageHead>(`/api/admin/instances/${instance}/messages`, {})

export const lastWebhooksQuery = () =>
  queryOptions({
    queryKey: ['admin', 'webhooks', 'last'],
    queryFn: ({ signal }) => read<LastWebhook[]>('/api/admin/webhooks/last', signal),
    staleTime: 0,
  })

export const replayWebhook = (id: number) => client.post({ url: `/api/admin/webhooks/${id}/replay` })

export const messageQuery = (instance: string, id: string) =>
  queryOptions({
    queryKey: ['admin', 'message', instance, id],
    queryFn: ({ signal }) =>
      read<Message>(`/api/admin/instances/${instance}/messages/${encodeURIComponent(id)}`, signal),
  })

export async function sendTest(instance: string, to: string): Promise<TestSent> {
  const { data } = await client.post<{ 200: TestSent }, unknown, true>({
    url: `/api/admin/instances/${instance}/send-test`,
    body: { to },
    headers: { 'content-type': 'application/json' },
  })
  return data as TestSent
}
