import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import { type BillingOut, cancelSubscription, openPaymentPortal, reactivateSubscription } from '@/api/generated'
import { getSubscriptionQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries'
import { toast } from '@/ui/toast-store'
import { tellFailure } from '../tell-failure'

/** Fetches anew what is shown of the plan, here and elsewhere. */
export const refreshBilling = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: userQuery().queryKey }),
    queries.invalidateQueries({ queryKey: getSubscriptionQueryKey() }),
  ])

const told = (error: Error) => {
  if (!isUnauthorized(error)) tellFailure()
}

// what is said stands here: the button that was pressed is gone by then
function useChange(change: () => Promise<{ data: BillingOut }>, done: 'cancelled' | 'reactivated') {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async ({ data }) => {
      queries.setQueryData(getSubscriptionQueryKey(), data)
      toast({ title: t(`account.subscription.${done}`) })
      await queries.invalidateQueries({ queryKey: userQuery().queryKey })
    },
    onError: async (error) => {
      told(error)
      // the refusal may be about a state that is not the one on the page
      await refreshBilling(queries)
    },
  })
}

export const useCancel = () => useChange(() => cancelSubscription({ throwOnError: true }), 'cancelled')
export const useReactivate = () => useChange(() => reactivateSubscription({ throwOnError: true }), 'reactivated')

/** Goes to the provider's own page for cards and invoices. */
export const usePortal = () =>
  useMutation({
    mutationFn: () => openPaymentPortal({ throwOnError: true }),
    onSuccess: ({ data }) => window.location.assign(data.url),
    onError: told,
  })
