import { useMutation, useQuery, useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { replayWebhook, type WebhookOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { EmptyState } from '@/ui/states'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { instancesQuery, invalidateWebhooks, lastWebhooksQuery, webhooksQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { useFailureToast } from '../hooks/use-failure-toast'
import { AdminPage } from '../layout/admin-page'
import type { WebhookState } from '../types'
import { InstanceSelect } from './instance-select'
import { LoadMore } from './load-more'

const tones: Record<WebhookState, Tone> = { pending: 'warn', applied: 'ok', failed: 'danger', ignored: 'quiet' }

type Props = { instance: string | undefined; onInstance: (instance: string | undefined) => void }

/** The webhooks that services sent, and what became of them. */
export function WebhooksPage({ instance, onInstance }: Props) {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.webhooks.title')} lead={t('admin.webhooks.lead')}>
      <LastHeard />
      <div className="mb-6">
        <InstanceSelect
          value={instance}
          onChange={onInstance}
          among={({ webhookUrl, kind }) => webhookUrl !== null || kind === 'payment'}
        />
      </div>
      <AdminQueryBoundary key={instance}>
        <Webhooks instance={instance} />
      </AdminQueryBoundary>
    </AdminPage>
  )
}

/** When each service last sent a webhook, and how many forged ones were rejected. */
function LastHeard() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: last = [] } = useQuery(lastWebhooksQuery())
  const { data: instances = [] } = useQuery(instancesQuery())
  if (last.length === 0) return null
  return (
    <ul aria-label={t('admin.webhooks.last')} className="mb-8 divide-y divide-line rounded-lg bg-surface px-4 shadow-1">
      {last.map(({ instanceId, lastAt, rejectedToday }) => (
        <li key={instanceId} className="flex flex-wrap justify-between gap-x-6 py-3 text-note">
          <bdi className="font-medium">{instances.find(({ id }) => id === instanceId)?.label ?? instanceId}</bdi>
          <span className="text-ink-2">
            {lastAt ? t('admin.addresses.lastEvent', { time: format.ago(lastAt) }) : t('admin.addresses.noEvent')}
          </span>
          {rejectedToday > 0 && (
            <span className="text-danger">
              {t('admin.webhooks.rejected', { count: rejectedToday, formatted: format.number(rejectedToday) })}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Webhooks({ instance }: { instance: string | undefined }) {
  const { t } = useTranslation()
  const pages = useSuspenseInfiniteQuery(webhooksQuery(instance))
  const rows = pages.data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) {
    return <EmptyState title={t('admin.webhooks.empty.title')} body={t('admin.webhooks.empty.body')} />
  }
  return (
    <>
      <Table caption={t('admin.webhooks.title')}>
        <thead>
          <tr>
            <Th>{t('admin.webhooks.received')}</Th>
            <Th>{t('admin.filter.instance')}</Th>
            <Th>{t('admin.webhooks.topic')}</Th>
            <Th>{t('admin.webhooks.state')}</Th>
            <Th>
              <span className="sr-only">{t('admin.webhooks.replay')}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </tbody>
      </Table>
      <LoadMore pages={pages} />
    </>
  )
}

function WebhookRow({ webhook }: { webhook: WebhookOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const { id, instanceId, topic, ref, eventId, state, attempts, error, receivedAt } = webhook
  const replay = useMutation({
    mutationFn: () => replayWebhook({ path: { event_id: id }, throwOnError: true }),
    onSuccess: async () => {
      toast({ title: t('admin.webhooks.replayed') })
      await invalidateWebhooks(queryClient)
    },
    onError: fail,
  })
  return (
    <tr>
      <Td className="whitespace-nowrap tabular-nums">{format.time(receivedAt)}</Td>
      <Td>
        <bdi>{instanceId}</bdi>
      </Td>
      <Td>
        <bdi>{topic}</bdi>
        <code dir="ltr" className="block max-w-64 truncate text-xs text-ink-3">
          {ref || eventId}
        </code>
      </Td>
      <Td className="min-w-40">
        <StatusPill tone={tones[state]}>{t(`admin.webhooks.states.${state}`)}</StatusPill>
        {attempts > 1 && (
          <span className="ms-2 text-xs text-ink-3">
            {t('admin.webhooks.tries', { count: attempts, formatted: format.number(attempts) })}
          </span>
        )}
        {error && (
          <span className="mt-1 block max-w-80 text-xs break-words text-danger">
            <bdi>{error}</bdi>
          </span>
        )}
      </Td>
      <Td className="text-end">
        <Button variant="outline" size="sm" pending={replay.isPending} onClick={() => replay.mutate()}>
          {!replay.isPending && <RotateCcw />}
          {t('admin.webhooks.replay')}
        </Button>
      </Td>
    </tr>
  )
}
