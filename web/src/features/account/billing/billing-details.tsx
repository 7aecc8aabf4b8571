import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getCapabilitiesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { billingDetailsQuery } from '@/api/queries/billing-details'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { BillingAddress } from '@/ui/payment/billing-address'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import { AccountSection } from '../components/account-section'

const BillingForm = lazy(() => import('@/ui/payment/billing-form'))

/** Who invoices are for, to see and to change: only where the provider computes taxes from it. */
export function BillingDetails() {
  const { t } = useTranslation()
  const { data: capabilities } = useQuery(getCapabilitiesOptions())
  const taxed = capabilities?.payment.taxes ?? false
  const stored = useQuery({ ...billingDetailsQuery(), enabled: taxed })
  const [editing, setEditing] = useState(false)
  if (!taxed || stored.data?.asked === false) return null
  const details = stored.data?.details ?? null
  return (
    <AccountSection title={t('payments.buyer.title')} lead={t('payments.buyer.accountLead')}>
      {stored.isError && !stored.data ? (
        <QueryError title={t('payments.buyer.unloaded')} query={stored} />
      ) : !stored.data ? (
        <Skeleton className="h-28 rounded-md" />
      ) : editing ? (
        <Suspense fallback={<Skeleton className="h-64 rounded-md" />}>
          <BillingForm
            details={details}
            label={t('payments.buyer.save')}
            onSaved={() => {
              setEditing(false)
              toast({ title: t('payments.buyer.saved') })
            }}
            onCancel={() => setEditing(false)}
          />
        </Suspense>
      ) : (
        <div className="space-y-4">
          {details ? (
            <BillingAddress details={details} />
          ) : (
            <p className="text-sm text-ink-2">{t('payments.buyer.none')}</p>
          )}
          <Button variant="outline" onClick={() => setEditing(true)}>
            {t(details ? 'payments.buyer.change' : 'payments.buyer.add')}
          </Button>
        </div>
      )}
    </AccountSection>
  )
}
