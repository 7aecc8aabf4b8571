import { queryOptions } from '@tanstack/react-query'
import type { OfferedPriceOut } from '../generated'
import { listOfferedPricesOptions } from '../generated/@tanstack/react-query.gen'
import { EACH_VISIT } from './warm'

/** What Pro can be paid at, the price that is shown elsewhere first. */
export const offeredPricesQuery = () => queryOptions({ ...listOfferedPricesOptions(), staleTime: EACH_VISIT })

/** What a price saves in a year against paying by the month, in minor units; 0 where that cannot be said. */
export function savedPerYear(price: OfferedPriceOut, prices: readonly OfferedPriceOut[]): number {
  const monthly = prices.find(({ interval, currency }) => interval === 'month' && currency === price.currency)
  return monthly && price.interval === 'year' ? Math.max(0, 12 * monthly.amount - price.amount) : 0
}
