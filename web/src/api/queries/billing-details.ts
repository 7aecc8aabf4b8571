import { queryOptions } from '@tanstack/react-query'
import { previewTaxes } from '../generated'
import { getBillingDetailsOptions } from '../generated/@tanstack/react-query.gen'
import { EACH_VISIT } from './warm'

/** Who invoices are for, as the payment provider has it. */
export const billingDetailsQuery = () =>
  queryOptions({ ...getBillingDetailsOptions(), staleTime: EACH_VISIT, retryOnMount: false })

/** What a start would charge with its taxes. `at`: when the billing details were read that it is for. */
export const taxPreviewQuery = (priceId: string | undefined, promotionCode: string | undefined, at: number) =>
  queryOptions({
    queryKey: ['taxes', priceId, promotionCode, at],
    queryFn: async () => {
      const body = { ...(priceId && { priceId }), ...(promotionCode && { promotionCode }) }
      return (await previewTaxes({ body, throwOnError: true })).data
    },
    gcTime: 0,
  })
