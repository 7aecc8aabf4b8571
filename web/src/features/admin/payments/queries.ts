import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listCancellations } from '@/api/generated'
import {
  countCancelReasonsOptions,
  getCustomerBackfillOptions,
  getOverviewOptions,
  getOverviewQueryKey,
  getPaymentClockOptions,
  getPaymentsOverviewOptions,
  getPaymentsOverviewQueryKey,
  getSelectedPriceQueryKey,
  listCancellationsQueryKey,
  listPaymentProductsOptions,
  listSubscriberPricesQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import { pagedQuery } from '../api/queries'

/** A long task is asked about so often, in milliseconds. */
const WATCHED = 1_000

/** Who sells, what, and to how many. */
export const overviewQuery = () => queryOptions({ ...getPaymentsOverviewOptions(), staleTime: EACH_VISIT })

/** How many users there are, and how many of what kind. */
export const statsQuery = () => queryOptions({ ...getOverviewOptions(), staleTime: EACH_VISIT })

export const invalidateStats = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: getOverviewQueryKey() }),
    queryClient.invalidateQueries({ queryKey: getPaymentsOverviewQueryKey() }),
  ])

export const productsQuery = (provider: string) =>
  queryOptions({ ...listPaymentProductsOptions({ path: { provider } }), staleTime: EACH_VISIT })

export const clockQuery = (provider: string) =>
  queryOptions({ ...getPaymentClockOptions({ path: { provider } }), staleTime: EACH_VISIT })

export const backfillTask = (provider: string) => ({ task: `backfill-${provider}-customers` })

export const backfillQuery = (provider: string) =>
  queryOptions({
    ...getCustomerBackfillOptions({ path: backfillTask(provider) }),
    staleTime: EACH_VISIT,
    refetchInterval: ({ state }) => (state.data?.running ? WATCHED : false),
  })

/** Refetches the price here and wherever Pro is offered, and who pays one that is not on sale any more. */
export const invalidatePrice = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: getPaymentsOverviewQueryKey() }),
    queryClient.invalidateQueries({ queryKey: listSubscriberPricesQueryKey() }),
    queryClient.invalidateQueries({ queryKey: getSelectedPriceQueryKey() }),
  ])

/** Who ended their subscription, the latest first. */
export const cancellationsQuery = () =>
  pagedQuery(listCancellationsQueryKey(), ({ signal, query }) =>
    listCancellations({ query, signal, throwOnError: true }),
  )

export const cancelReasonsQuery = () => queryOptions({ ...countCancelReasonsOptions(), staleTime: EACH_VISIT })
