import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BillingOut, type StartOut, syncSubscription } from '@/api/generated'
import { getSubscriptionQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { log } from '@/lib/browser/log'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { paymentFormFor } from '@/ui/payment/payment-form'
import { Spinner } from '@/ui/states'
import { invalidateBilling } from './mutations'

type Props = {
  start: StartOut
  email: string
  title: string
  /** Of the button that sends the form. */
  label: string
  /** Said when it has been paid. */
  done: string
  onClose: () => void
}

/** The form for what is open, or for another card. */
export default function PayDialog({ start, email, title, label, done, onClose }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [reason, setReason] = useState<string>()
  const [paid, setPaid] = useState(false)
  const Form = paymentFormFor(start)

  async function arrive() {
    setPaid(true)
    try {
      await syncSubscription({ throwOnError: true })
    } catch (error) {
      log('The subscription could not be synced', error)
    }
    await invalidateBilling(queryClient)
    // a bank may take its time: what is still open is not paid yet
    const open = queryClient.getQueryData<BillingOut>(getSubscriptionQueryKey())?.actionRequired
    toast({ title: open ? t('checkout.settling.title') : done })
    onClose()
  }

  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={title}>
        {paid ? (
          <Spinner className="min-h-24" />
        ) : Form ? (
          <Suspense fallback={<Spinner className="min-h-48" />}>
            <Form
              start={start}
              email={email}
              label={label}
              reason={reason}
              onPaid={() => void arrive()}
              onFailed={(why) => {
                setReason(why)
                toast({ title: t('payments.failed'), description: why, variant: 'destructive' })
              }}
            />
          </Suspense>
        ) : (
          <p>{t('account.due.nothing')}</p>
        )}
      </DialogContent>
    </Dialog>
  )
}
