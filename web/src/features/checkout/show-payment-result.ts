import type { QueryClient } from '@tanstack/react-query'
import { getSubscriptionQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries/site'
import { i18n } from '@/i18n'
import { toast } from '@/ui/overlay/toast-store'

/** Shows how a payment ended in a toast, and refetches the user. */
export async function showPaymentResult(queryClient: QueryClient, isPro: boolean): Promise<void> {
  const words = isPro ? 'welcome' : 'settling'
  toast({ title: i18n.t(`checkout.${words}.title`), description: i18n.t(`checkout.${words}.body`) })
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: userQuery().queryKey }),
    queryClient.invalidateQueries({ queryKey: getSubscriptionQueryKey() }),
  ])
}
