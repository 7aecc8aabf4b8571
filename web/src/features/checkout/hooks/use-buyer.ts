import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { billingDetailsQuery, taxPreviewQuery } from '@/api/queries/billing-details'

type Wish = { taxed: boolean; priceId: string | undefined; promotionCode: string | undefined }

/** Who the invoice is for, and what taxes that leads to: only where the provider computes any. */
export function useBuyer({ taxed, priceId, promotionCode }: Wish) {
  const stored = useQuery({ ...billingDetailsQuery(), enabled: taxed })
  const [editing, setEditing] = useState(false)
  const details = stored.data?.details ?? null
  const known = taxed && details !== null && !editing
  const taxes = useQuery({
    ...taxPreviewQuery(priceId, promotionCode, stored.dataUpdatedAt),
    enabled: known,
  })
  return {
    stored,
    details,
    editing,
    setEditing,
    taxes,
    /** Nothing is to be asked, or all is known that the total needs. */
    ready: !taxed || (known && taxes.isSuccess),
    known,
  }
}

export type Buyer = ReturnType<typeof useBuyer>
