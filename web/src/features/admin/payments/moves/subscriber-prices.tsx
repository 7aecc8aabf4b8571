import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SubscriberPriceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/states'
import { StatusPill } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { Card } from '../../components/card'
import { MoveDialog } from './move-dialog'
import { MoveList } from './move-list'
import { priceMovesQuery, subscriberPricesQuery } from './queries'

/** Who pays which price, and the way from an old price to a new one. */
export function SubscriberPrices() {
  const { t } = useTranslation()
  return (
    <Card title={t('admin.moves.title')} lead={t('admin.moves.lead')}>
      <AdminQueryBoundary>
        <Listed />
      </AdminQueryBoundary>
    </Card>
  )
}

function Listed() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useSuspenseQuery(subscriberPricesQuery())
  const { data: moves } = useSuspenseQuery(priceMovesQuery())
  const [chosen, setChosen] = useState<SubscriberPriceOut | null>(null)
  if (data.prices.length === 0 && moves.length === 0)
    return <EmptyState title={t('admin.moves.empty.title')} body={t('admin.moves.empty.body')} />
  const moving = moves.filter(({ state }) => state === 'running').map(({ priceId }) => priceId)
  const anyOld = data.prices.some(({ onSale }) => !onSale)
  return (
    <>
      {anyOld && !data.movable && (
        <p className="mb-4 rounded-md bg-sunken px-4 py-3 text-sm leading-relaxed">{t('admin.moves.unsupported')}</p>
      )}
      {data.prices.length > 0 && (
        <Table caption={t('admin.moves.title')}>
          <thead>
            <tr>
              <Th>{t('admin.moves.price')}</Th>
              <Th>{t('admin.moves.subscribers')}</Th>
              <Th>{t('admin.moves.state')}</Th>
              <Th>
                <span className="sr-only">{t('admin.moves.move')}</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {data.prices.map((price) => (
              <tr key={price.priceId}>
                <Td>
                  <PriceName price={price} />
                </Td>
                <Td className="tabular-nums">{format.number(price.subscribers)}</Td>
                <Td>
                  <StatusPill tone={price.onSale ? 'ok' : 'warn'}>
                    {t(price.onSale ? 'admin.moves.onSale' : 'admin.moves.old')}
                  </StatusPill>
                </Td>
                <Td className="md:text-end">
                  {moving.includes(price.priceId) ? (
                    <span className="text-note text-ink-2">{t('admin.moves.moving')}</span>
                  ) : price.targets.length > 0 ? (
                    <Button variant="outline" size="sm" onClick={() => setChosen(price)}>
                      {t('admin.moves.move')}
                    </Button>
                  ) : (
                    !price.onSale &&
                    data.movable && <span className="text-note text-ink-2">{t('admin.moves.noTarget')}</span>
                  )}
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <MoveList moves={moves} />
      {chosen && <MoveDialog old={chosen} days={data} onClose={() => setChosen(null)} />}
    </>
  )
}

function PriceName({ price: { priceId, amount, currency, interval, intervalCount } }: { price: SubscriberPriceOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const known = amount !== null && currency !== null ? format.coded(amount, currency) : t('admin.moves.unknown')
  return (
    <div>
      <span className="font-medium tabular-nums">
        {interval && intervalCount === 1 ? format.each(known, interval) : known}
      </span>
      <code dir="ltr" className="mt-0.5 block text-xs break-all text-ink-3">
        {priceId}
      </code>
    </div>
  )
}
