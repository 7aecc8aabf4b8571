import type { QueryClient } from '@tanstack/react-query'
import { getSubscriptionQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries'
import { i18n } from '@/i18n'
import { toast } from '@/ui/toast-store'

/** Says how a payment ended, and fetches anew who the reader is now. */
export async function welcome(queries: QueryClient, isPro: boolean): Promise<void> {
  const words = isPro ? 'welcome' : 'settling'
  toast({ title: i18n.t(`checkout.${words}.title`), description: i18n.t(`checkout.${words}.body`) })
  await Promise.all([
    queries.invalidateQueries({ queryKey: userQuery().queryKey }),
    queries.invalidateQueries({ queryKey: getSubscriptionQueryKey() }),
  ])
}
