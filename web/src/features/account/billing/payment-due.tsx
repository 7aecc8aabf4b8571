import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { getOpenPayment, type InvoiceOut, type StartOut, type SubscriptionOut, type UserOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { usePaymentDocument } from '@/ui/payment/use-payment-document'
import { StatusPill } from '@/ui/status-pill'
import { AccountSection } from '../components/account-section'
import { showFailureToast } from '../failure-toast'
import { CancelButton } from './cancel/cancel-button'
import { invalidateBilling } from './mutations'
import { PortalButton } from './portal-button'

const PayDialog = lazy(() => import('./pay-dialog'))

type Props = {
  user: UserOut
  subscription: SubscriptionOut
  /** What is to be paid, if the provider has said so. */
  invoice: InvoiceOut | undefined
  /** Something is open that can be paid here. */
  payable: boolean
  portal: boolean
}

/** A subscription that is not paid any more: what is due and what that means, the way to pay it, and the way out. */
export function PaymentDue({ user, subscription, invoice, payable, portal }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [opened, setOpened] = useState<StartOut>()
  const ready = usePaymentDocument()
  const open = useMutation({
    mutationFn: async () => (await getOpenPayment({ throwOnError: true })).data,
    onSuccess: (start) => (start.redirectUrl ? window.location.assign(start.redirectUrl) : setOpened(start)),
    onError: async (error) => {
      if (isUnauthorized(error)) return
      if (error instanceof ApiError && error.status === 404) {
        toast({ title: t('account.due.nothing') })
        await invalidateBilling(queryClient)
      } else showFailureToast()
    },
  })
  const grace = user.isPro ? subscription.grace_until : null
  const paused = subscription.status === 'paused'
  const due = payable && invoice ? format.exact(invoice.amount_due, invoice.currency) : null
  return (
    <AccountSection title={t('account.due.title')}>
      <StatusPill tone={paused ? 'warn' : 'danger'}>
        {t(paused ? 'account.due.pausedState' : 'payments.failed')}
      </StatusPill>
      {(due || grace) && (
        <dl className="mt-5 flex flex-wrap gap-x-12 gap-y-4">
          {due && (
            <div>
              <dt className="text-sm text-ink-2">{t('account.due.amount')}</dt>
              <dd className="mt-0.5 font-medium tabular-nums">{due}</dd>
            </div>
          )}
          {grace && (
            <div>
              <dt className="text-sm text-ink-2">{t('account.subscription.until')}</dt>
              <dd className="mt-0.5 font-medium">{format.longDate(grace)}</dd>
            </div>
          )}
        </dl>
      )}
      <p className="my-5 rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
        {grace
          ? t('account.due.grace', { date: format.longDate(grace) })
          : t(paused ? 'account.due.paused' : 'account.due.body')}
      </p>
      <div className="flex flex-wrap gap-2">
        {payable && (
          <Button pending={open.isPending} disabled={!ready} onClick={() => open.mutate()}>
            {due ? t('payments.pay', { amount: due }) : t('account.due.action')}
          </Button>
        )}
        {portal && <PortalButton />}
        <CancelButton atOnce />
      </div>
      {opened && (
        <Suspense>
          <PayDialog
            start={opened}
            email={user.email}
            title={t('account.due.dialog')}
            label={t('payments.payOpen')}
            done={t('account.due.paid')}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
    </AccountSection>
  )
}
