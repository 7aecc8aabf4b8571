import { useQuery, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { CancellationOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { EmptyState } from '@/ui/states'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { Card } from '../components/card'
import { LoadMore } from '../operations/load-more'
import { cancellationsQuery, cancelReasonsQuery } from './queries'

const tones: Record<CancellationOut['result'], Tone> = { ending: 'warn', ended: 'quiet', stayed: 'ok' }

/** Who ended their subscription, and why. */
export function Cancellations() {
  const { t } = useTranslation()
  return (
    <Card title={t('admin.cancellations.title')} lead={t('admin.cancellations.lead')}>
      <AdminQueryBoundary>
        <Listed />
      </AdminQueryBoundary>
    </Card>
  )
}

function Listed() {
  const { t } = useTranslation()
  const format = useFormat()
  const pages = useSuspenseInfiniteQuery(cancellationsQuery())
  const rows = pages.data.pages.flatMap((page) => page.rows)
  if (rows.length === 0)
    return <EmptyState title={t('admin.cancellations.empty.title')} body={t('admin.cancellations.empty.body')} />
  return (
    <>
      <Reasons />
      <Table caption={t('admin.cancellations.title')}>
        <thead>
          <tr>
            <Th>{t('admin.cancellations.who')}</Th>
            <Th>{t('admin.cancellations.when')}</Th>
            <Th>{t('admin.cancellations.why')}</Th>
            <Th>{t('admin.cancellations.result')}</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <Td className="max-w-72 font-medium">
                <Link
                  to="/admin/users/$id"
                  params={{ id: String(row.userId) }}
                  className="underline-offset-2 hover:underline"
                >
                  <bdi dir="ltr" className="break-words">
                    {row.email}
                  </bdi>
                </Link>
              </Td>
              <Td className="whitespace-nowrap tabular-nums">{format.time(row.canceledAt)}</Td>
              <Td className="max-w-96">
                {t(`cancelReasons.${row.reason ?? 'unsaid'}`)}
                {row.comment && (
                  <bdi className="mt-1 block break-words whitespace-pre-line text-ink-2">{row.comment}</bdi>
                )}
              </Td>
              <Td>
                <StatusPill tone={tones[row.result]}>{t(`admin.cancellations.results.${row.result}`)}</StatusPill>
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <LoadMore pages={pages} />
    </>
  )
}

/** How often each reason was given; nothing until it is known, the list says the same. */
function Reasons() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useQuery(cancelReasonsQuery())
  if (!data || data.length === 0) return null
  return (
    <dl aria-label={t('admin.cancellations.year')} className="mb-5 flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {data.map(({ reason, count }) => (
        <div key={reason ?? 'unsaid'} className="flex items-baseline gap-2">
          <dt className="text-ink-2">{t(`cancelReasons.${reason ?? 'unsaid'}`)}</dt>
          <dd className="font-medium tabular-nums">{format.number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
