import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  getCustomerBackfillOptions,
  getOverviewOptions,
  getOverviewQueryKey,
  getPaymentClockOptions,
  getPaymentsOverviewOptions,
  getPaymentsOverviewQueryKey,
  getSelectedPriceQueryKey,
  listPaymentProductsOptions,
} from '@/api/generated/@tanstack/react-query.gen'

/** A long task is asked about so often, in milliseconds. */
const WATCHED = 1_000

/** Who sells, what, and to how many. */
export const overviewQuery = () => queryOptions({ ...getPaymentsOverviewOptions(), staleTime: 0 })

/** How many users there are, and how many of what kind. */
export const figuresQuery = () => queryOptions({ ...getOverviewOptions(), staleTime: 0 })

export const refreshFigures = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: getOverviewQueryKey() }),
    queries.invalidateQueries({ queryKey: getPaymentsOverviewQueryKey() }),
  ])

export const productsQuery = (provider: string) =>
  queryOptions({ ...listPaymentProductsOptions({ path: { provider } }), staleTime: 0 })

export const clockQuery = (provider: string) =>
  queryOptions({ ...getPaymentClockOptions({ path: { provider } }), staleTime: 0 })

export const taskOf = (provider: string) => ({ task: `backfill-${provider}-customers` })

export const backfillQuery = (provider: string) =>
  queryOptions({
    ...getCustomerBackfillOptions({ path: taskOf(provider) }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running ? WATCHED : false),
  })

/** After another price was chosen: what it is, here and wherever Pro is offered. */
export const refreshChoice = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: getPaymentsOverviewQueryKey() }),
    queries.invalidateQueries({ queryKey: getSelectedPriceQueryKey() }),
  ])
