import { useQuery } from '@tanstack/react-query'
import { getSubscriptionOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries'
import { History } from './history'
import { PaymentDue } from './payment-due'
import { isStalled } from './state'
import { SubscriptionCard } from './subscription-card'
import { Upgrade } from './upgrade'

/** What the account page shows about the plan: each card only where it has something to say. */
export function Billing() {
  const user = useUser()
  const { data: billing } = useQuery({ ...getSubscriptionOptions(), staleTime: 0, enabled: user !== null })
  if (!user) return null
  const { subscription = null, invoices = [], portal = false, actionRequired = false } = billing ?? {}
  const stalled = subscription !== null && isStalled(subscription)
  return (
    <>
      {stalled && <PaymentDue user={user} subscription={subscription} payable={actionRequired} portal={portal} />}
      {user.isPro && subscription && <SubscriptionCard subscription={subscription} portal={portal && !stalled} />}
      {!user.isPro && <Upgrade />}
      {invoices.length > 0 && <History invoices={invoices} />}
    </>
  )
}
