import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  listPriceMovesOptions,
  listPriceMovesQueryKey,
  listSubscriberPricesOptions,
  listSubscriberPricesQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'

/** A move is asked about so often while people are being told, in milliseconds. */
const WATCHED = 3_000

/** Who pays what. */
export const subscriberPricesQuery = () => queryOptions({ ...listSubscriberPricesOptions(), staleTime: EACH_VISIT })

/** The latest moves, with how far they have come. */
export const priceMovesQuery = () =>
  queryOptions({
    ...listPriceMovesOptions(),
    staleTime: EACH_VISIT,
    refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? WATCHED : false),
  })

export const invalidateMoves = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: listPriceMovesQueryKey() }),
    queryClient.invalidateQueries({ queryKey: listSubscriberPricesQueryKey() }),
  ])
