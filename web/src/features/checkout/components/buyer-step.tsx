import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { TaxPreviewOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { BillingAddress } from '@/ui/payment/billing-address'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import type { Buyer } from '../hooks/use-buyer'

const BillingForm = lazy(() => import('@/ui/payment/billing-form'))

type Props = { buyer: Buyer; disabled: boolean; onChange: () => void }

/** Asks for the billing address before anything is paid, then shows it with the taxes that follow from it. */
export function BuyerStep({ buyer, disabled, onChange }: Props) {
  const { t } = useTranslation()
  const { stored, details, editing, setEditing, taxes } = buyer
  if (stored.isError && !stored.data) return <QueryError title={t('payments.buyer.unloaded')} query={stored} />
  if (!stored.data) return <Skeleton className="h-64 rounded-md" />
  if (!details || editing)
    return (
      <section aria-labelledby="buyer-title" className="rounded-md bg-sunken px-4 py-4">
        <h3 id="buyer-title" className="text-sm font-medium">
          {t('payments.buyer.title')}
        </h3>
        <p className="mt-1 mb-4 text-note leading-relaxed text-ink-2">{t('payments.buyer.lead')}</p>
        <Suspense fallback={<Skeleton className="h-64 rounded-md" />}>
          <BillingForm
            details={details}
            label={t('payments.buyer.continue')}
            onSaved={() => {
              setEditing(false)
              onChange()
            }}
            onCancel={details ? () => setEditing(false) : undefined}
          />
        </Suspense>
      </section>
    )
  return (
    <section aria-labelledby="buyer-title" className="space-y-4 rounded-md bg-sunken px-4 py-3">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h3 id="buyer-title" className="mb-1 text-sm font-medium">
            {t('payments.buyer.title')}
          </h3>
          <BillingAddress details={details} />
        </div>
        <Button variant="ghost" size="sm" className="-me-3" disabled={disabled} onClick={() => setEditing(true)}>
          {t('payments.buyer.change')}
        </Button>
      </div>
      {taxes.data ? (
        <Totals told={taxes.data} />
      ) : taxes.isError ? (
        <QueryError title={t('payments.buyer.untaxed')} query={taxes} />
      ) : (
        <Skeleton className="h-20 rounded-md" />
      )}
    </section>
  )
}

/** Net, tax, total: as the provider computes them. */
function Totals({ told: { currency, net, taxes, total } }: { told: TaxPreviewOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = [
    { label: t('payments.buyer.net'), amount: net },
    ...taxes.map(({ name, percent, amount }) => ({
      label: t('payments.buyer.tax', { name: `\u2068${name}\u2069`, percent: format.measure(Number(percent)) }),
      amount,
    })),
    { label: t('payments.buyer.total'), amount: total },
  ]
  return (
    <dl className="space-y-1 border-t border-line pt-3 text-sm">
      {rows.map(({ label, amount }) => (
        <div
          key={label}
          className="flex items-baseline justify-between gap-4 text-ink-2 last:font-medium last:text-ink"
        >
          <dt>{label}</dt>
          <dd className="tabular-nums">{format.exact(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}
