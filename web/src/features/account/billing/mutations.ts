import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import {
  type BillingOut,
  type CancelIn,
  type ChangePriceIn,
  cancelSubscription,
  changePrice,
  openPaymentPortal,
  type PauseIn,
  pauseSubscription,
  reactivateSubscription,
  resumeSubscription,
} from '@/api/generated'
import { getSubscriptionQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { offeredPricesQuery } from '@/api/queries/offered-prices'
import { userQuery } from '@/api/queries/site'
import { toast } from '@/ui/overlay/toast-store'
import { showFailureToast } from '../failure-toast'

/** Fetches anew what is shown of the plan, here and elsewhere. */
export const invalidateBilling = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: userQuery().queryKey }),
    queryClient.invalidateQueries({ queryKey: getSubscriptionQueryKey() }),
  ])

const told = (error: Error) => {
  if (!isUnauthorized(error)) showFailureToast()
}

const CHANGE = ['subscription', 'change']

/** The change of the subscription that ended last, since the page was loaded. */
export const useLastChange = (): number | undefined =>
  useMutationState({
    filters: { mutationKey: CHANGE, predicate: ({ state }) => state.status !== 'pending' },
    select: ({ mutationId }) => mutationId,
  }).at(-1)

// what is said stands here: the button that was pressed is gone by then
function useChange<Said = void>(
  change: (said: Said) => Promise<{ data: BillingOut }>,
  done: 'cancelled' | 'reactivated' | 'pause.done' | 'pause.resumed',
) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: CHANGE,
    mutationFn: change,
    onSuccess: async ({ data }) => {
      queryClient.setQueryData(getSubscriptionQueryKey(), data)
      toast({ title: t(`account.subscription.${done}`) })
      await queryClient.invalidateQueries({ queryKey: userQuery().queryKey })
    },
    onError: async (error) => {
      // why, where it is about the payment: a bank that declined
      if (error instanceof ApiError && error.status === 402)
        toast({ title: t('account.failed.title'), description: errorMessage(error), variant: 'destructive' })
      else told(error)
      // the refusal may be about a state that is not the one on the page
      await invalidateBilling(queryClient)
    },
  })
}

export const useCancelSubscription = () =>
  useChange((body: CancelIn) => cancelSubscription({ body, throwOnError: true }), 'cancelled')
export const usePauseSubscription = () =>
  useChange((body: PauseIn) => pauseSubscription({ body, throwOnError: true }), 'pause.done')
export const useResumeSubscription = () => useChange(() => resumeSubscription({ throwOnError: true }), 'pause.resumed')
export const useReactivateSubscription = () =>
  useChange(() => reactivateSubscription({ throwOnError: true }), 'reactivated')

/** Changes to another price, as its preview said. */
export function useChangePrice() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: CHANGE,
    mutationFn: (body: ChangePriceIn) => changePrice({ body, throwOnError: true }),
    onSuccess: async ({ data }) => {
      queryClient.setQueryData(getSubscriptionQueryKey(), data)
      toast({ title: t('account.plan.done') })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: userQuery().queryKey }),
        queryClient.invalidateQueries({ queryKey: offeredPricesQuery().queryKey }),
      ])
    },
    onError: async (error) => {
      if (isUnauthorized(error)) return
      // why, too: a bank that declined, or amounts that are not those on the page any more
      if (error instanceof ApiError && error.status > 0 && error.status < 500)
        toast({ title: t('account.failed.title'), description: errorMessage(error), variant: 'destructive' })
      else showFailureToast()
      await invalidateBilling(queryClient)
    },
  })
}

/** Goes to the provider's own page for cards and invoices. */
export const useBillingPortal = () =>
  useMutation({
    mutationFn: () => openPaymentPortal({ throwOnError: true }),
    onSuccess: ({ data }) => window.location.assign(data.url),
    onError: told,
  })
