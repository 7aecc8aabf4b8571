import { useQuery } from '@tanstack/react-query'
import { getSubscriptionOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries'
import { History } from './history'
import { PaymentDue } from './payment-due'
import { SubscriptionCard } from './subscription-card'
import { Upgrade } from './upgrade'

/** What the account page shows about the plan: each card only where it has something to say. */
export function Billing() {
  const user = useUser()
  const { data: billing } = useQuery({ ...getSubscriptionOptions(), staleTime: 0, enabled: user !== null })
  if (!user) return null
  const { subscription = null, invoices = [], portal = false, actionRequired = false } = billing ?? {}
  return (
    <>
      {subscription && actionRequired && subscription.status !== 'incomplete' && (
        <PaymentDue user={user} subscription={subscription} />
      )}
      {user.isPro && subscription && <SubscriptionCard subscription={subscription} portal={portal} />}
      {!user.isPro && <Upgrade />}
      {invoices.length > 0 && <History invoices={invoices} />}
    </>
  )
}
