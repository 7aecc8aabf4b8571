import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { getSubscriptionOptions } from '@/api/generated/@tanstack/react-query.gen'
import { log } from '@/lib/browser/log'
import { toast } from '@/ui/overlay/toast-store'
import { clearPaymentOutcome, type PaymentOutcome } from '../payment-outcome'
import { showPaymentResult } from '../show-payment-result'
import { waitForPro } from '../wait-for-pro'

/** For a reader who comes back from a payment page: asks the server how things are, and tidies the address. */
export default function PaymentReturn({ outcome }: { outcome: PaymentOutcome }) {
  const { t } = useTranslation()
  const { history } = useRouter()
  const queryClient = useQueryClient()
  const seen = useRef(false)
  useEffect(() => {
    if (seen.current) return
    seen.current = true
    const finish = async () => {
      try {
        if (outcome === 'failed') {
          toast({ title: t('checkout.notPaid.title'), description: t('checkout.notPaid.body'), variant: 'destructive' })
        } else {
          const isPro = await waitForPro()
          // anybody can write an address that says that they have paid
          if (isPro || (outcome !== 'unknown' && (await isPaymentOpen(queryClient))))
            await showPaymentResult(queryClient, isPro)
        }
      } catch (error) {
        log('The subscription could not be synced', error)
      }
      const { href } = history.location
      const tidy = clearPaymentOutcome(href)
      if (tidy !== href) history.replace(tidy)
    }
    void finish()
  }, [history, outcome, queryClient, t])
  return null
}

/** Whether the payment provider knows of a payment that has not come to its end. */
async function isPaymentOpen(queryClient: QueryClient): Promise<boolean> {
  const { actionRequired } = await queryClient.fetchQuery({ ...getSubscriptionOptions(), staleTime: 0 })
  return actionRequired
}
