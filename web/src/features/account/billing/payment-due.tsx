import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { getOpenPayment, type StartOut, type SubscriptionOut, type UserOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { usePaymentDocument } from '@/ui/payment/use-payment-document'
import { AccountSection } from '../components/account-section'
import { showFailureToast } from '../failure-toast'
import { CancelButton } from './cancel-button'
import { invalidateBilling } from './mutations'
import { PortalButton } from './portal-button'

const PayDialog = lazy(() => import('./pay-dialog'))

type Props = {
  user: UserOut
  subscription: SubscriptionOut
  /** Something is open that can be paid here. */
  payable: boolean
  portal: boolean
}

/** A subscription that is not paid any more: what that means, the way to pay it, and the way out. */
export function PaymentDue({ user, subscription, payable, portal }: Props) {
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
  return (
    <AccountSection title={t('account.due.title')} className="bg-warn-soft">
      <p className="mb-4 max-w-[60ch] leading-relaxed">
        {grace
          ? t('account.due.grace', { date: format.longDate(grace) })
          : t(subscription.status === 'paused' ? 'account.due.paused' : 'account.due.body')}
      </p>
      <div className="flex flex-wrap gap-2">
        {payable && (
          <Button pending={open.isPending} disabled={!ready} onClick={() => open.mutate()}>
            {t('account.due.action')}
          </Button>
        )}
        {portal && <PortalButton />}
        <CancelButton atOnce />
      </div>
      {opened && (
        <Suspense>
          <PayDialog start={opened} email={user.email} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </AccountSection>
  )
}
