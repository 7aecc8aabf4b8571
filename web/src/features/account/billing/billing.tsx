import { queryOptions, useQuery } from '@tanstack/react-query'
import { getSubscriptionOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries/site'
import { EACH_VISIT } from '@/api/queries/warm'
import { Invoices } from './invoices'
import { PaymentDue } from './payment-due'
import { SubscriptionCard } from './subscription-card'
import { isStalled } from './subscription-state'
import { Upgrade } from './upgrade'

export const billingQuery = () => queryOptions({ ...getSubscriptionOptions(), staleTime: EACH_VISIT })

/** What the account page shows about the plan: each card only where it has something to say. */
export function Billing() {
  const user = useUser()
  const { data: billing } = useQuery({ ...billingQuery(), enabled: user !== null })
  if (!user) return null
  const { subscription = null, invoices = [], portal = false, actionRequired = false } = billing ?? {}
  const stalled = subscription !== null && isStalled(subscription)
  return (
    <>
      {stalled && <PaymentDue user={user} subscription={subscription} payable={actionRequired} portal={portal} />}
      {user.isPro && subscription && <SubscriptionCard subscription={subscription} portal={portal && !stalled} />}
      {!user.isPro && <Upgrade />}
      {invoices.length > 0 && <Invoices invoices={invoices} />}
    </>
  )
}
