import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getSubscriptionOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries/site'
import { EACH_VISIT } from '@/api/queries/warm'
import { BillingDetails } from './billing-details'
import { Invoices } from './invoices'
import { useLastChange } from './mutations'
import { PaymentDue } from './payment-due'
import { SubscriptionCard } from './subscription-card'
import { isPaused, isStalled, openInvoice } from './subscription-state'
import { Upgrade } from './upgrade'

export const billingQuery = () =>
  // what shows it appears once it has failed or not: asked again by that, it would begin anew for ever
  queryOptions({ ...getSubscriptionOptions(), staleTime: EACH_VISIT, retryOnMount: false })

/** Whether it is still unknown what there is to say about the plan. */
export function useBillingPending(): boolean {
  const user = useUser()
  return useQuery({ ...billingQuery(), enabled: user !== null }).isLoading
}

/** What the account page shows about the plan: each card only where it has something to say. */
export function Billing() {
  const user = useUser()
  const { data: billing } = useQuery({ ...billingQuery(), enabled: user !== null })
  useFocusAfterChange()
  if (!user) return null
  const { subscription = null, invoices = [], portal = false, actionRequired = false } = billing ?? {}
  const paused = subscription !== null && isPaused(subscription)
  const stalled = subscription !== null && !paused && isStalled(subscription)
  return (
    <>
      {stalled && (
        <PaymentDue
          user={user}
          subscription={subscription}
          invoice={openInvoice(invoices)}
          payable={actionRequired}
          portal={portal}
        />
      )}
      {(user.isPro || paused) && subscription && !stalled && (
        <SubscriptionCard subscription={subscription} portal={portal} />
      )}
      {!user.isPro && !paused && <Upgrade />}
      {invoices.length > 0 && <Invoices invoices={invoices} />}
      {(subscription || invoices.length > 0) && <BillingDetails />}
    </>
  )
}

/** A change of the plan replaces the button that had the focus: the one that comes instead takes it. */
function useFocusAfterChange(): void {
  const last = useLastChange()
  const seen = useRef(last)
  useEffect(() => {
    const ended = last !== undefined && last !== seen.current
    seen.current = last
    if (ended && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-plan-action]')?.focus()
  }, [last])
}
