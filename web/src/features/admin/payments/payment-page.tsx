import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import type { PaymentsOverview } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { EmptyState, Skeleton } from '@/ui/states'
import { StatusPill } from '@/ui/status-pill'
import { AdminQueryError } from '../components/admin-query-error'
import { Card } from '../components/card'
import { AdminPage } from '../layout/admin-page'
import { Cancellations } from './cancellations'
import { ClockForm } from './clock-form'
import { CustomerBackfill } from './customer-backfill'
import { SubscriberPrices } from './moves/subscriber-prices'
import { PaymentEmails } from './payment-emails'
import { PriceForm } from './price-form'
import { PromotionNote } from './promotion-note'
import { overviewQuery, productsQuery } from './queries'
import { RefundForm } from './refund-form'

type Props = { provider: string; notFound: ReactNode }

/** What is sold as Pro at the provider that the address names; any other is not there. */
export function PaymentPage({ provider, notFound }: Props) {
  const { t } = useTranslation()
  const products = useQuery(productsQuery(provider))
  const overview = useQuery(overviewQuery())
  if (products.error instanceof ApiError && products.error.status === 404) return notFound
  return (
    <AdminPage
      title={t('admin.payment.title')}
      lead={t('admin.payment.lead')}
      aside={
        overview.data && (
          <StatusPill tone={overview.data.live ? 'ok' : 'warn'}>
            {t(overview.data.live ? 'admin.payment.live' : 'admin.payment.test')}
          </StatusPill>
        )
      }
    >
      {overview.data && <Figures overview={overview.data} />}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Card title={t('admin.payment.choice.title')} lead={t('admin.payment.choice.lead')}>
          {products.isError && !products.data ? (
            <AdminQueryError query={products} />
          ) : overview.isError && !overview.data ? (
            <AdminQueryError query={overview} />
          ) : !products.data || !overview.data ? (
            <Skeleton className="h-64 rounded-md" />
          ) : products.data.length === 0 ? (
            <EmptyState
              title={t('admin.payment.empty.title')}
              body={t('admin.payment.empty.body')}
              action={
                <Button variant="outline" pending={products.isFetching} onClick={() => void products.refetch()}>
                  {t('errors.retry')}
                </Button>
              }
            />
          ) : (
            <PriceForm
              // what another administrator saved in the meantime is taken over as a whole
              key={`${overview.data.productId} ${overview.data.priceId} ${overview.data.otherPriceIds.join(' ')}`}
              provider={provider}
              products={products.data}
              chosen={overview.data}
              onReload={() => void products.refetch()}
              reloading={products.isFetching}
            />
          )}
        </Card>
        {products.data && (
          <div className="space-y-6">
            <Card title={t('admin.payment.backfill.title')} lead={t('admin.payment.backfill.lead')}>
              <CustomerBackfill provider={provider} />
            </Card>
            {overview.data && (
              <Card title={t('admin.payment.emails.title')} lead={t('admin.payment.emails.lead')}>
                <PaymentEmails overview={overview.data} />
              </Card>
            )}
            {overview.data?.promotionCodes && (
              <Card title={t('admin.payment.promotions.title')} lead={t('admin.payment.promotions.lead')}>
                <PromotionNote overview={overview.data} />
              </Card>
            )}
            {overview.data?.testRefunds && (
              <Card title={t('admin.payment.refund.title')} lead={t('admin.payment.refund.lead')}>
                <RefundForm provider={provider} />
              </Card>
            )}
            <ClockForm
              provider={provider}
              frame={(content) => (
                <Card title={t('admin.payment.clock.title')} lead={t('admin.payment.clock.lead')}>
                  {content}
                </Card>
              )}
            />
          </div>
        )}
      </div>
      <div className="mt-6 space-y-6">
        <SubscriberPrices />
        <Cancellations />
      </div>
    </AdminPage>
  )
}

function Figures({ overview }: { overview: PaymentsOverview }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <dl
      aria-label={t('admin.payment.figures')}
      className="mb-6 grid grid-cols-1 divide-line rounded-lg bg-surface shadow-1 max-sm:divide-y sm:grid-cols-3 sm:divide-x"
    >
      {(['users', 'pro', 'customers'] as const).map((name) => (
        <div key={name} className="px-5 py-4">
          <dt className="text-note text-ink-2">{t(`admin.payment.${name}`)}</dt>
          <dd className="display mt-1 text-2xl tabular-nums">{format.number(overview[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
