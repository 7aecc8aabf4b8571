import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { previewPromotion } from '@/api/generated'

/** A promotion code, and what the provider says that it takes off the price that is chosen. */
export function usePromotion(priceId: string | undefined) {
  const [typed, setTyped] = useState('')
  const [code, setCode] = useState('')
  const preview = useQuery({
    queryKey: ['promotion', code, priceId],
    queryFn: async () => {
      const body = { promotionCode: code, ...(priceId && { priceId }) }
      return (await previewPromotion({ body, throwOnError: true })).data
    },
    enabled: code !== '',
    // wrong codes are counted: one is asked about only when its reader says so
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const { error } = preview
  // after a refusal the query still has its last answer
  const told = code === '' || preview.isError ? undefined : preview.data
  const wanted = typed.trim()
  return {
    typed,
    type: setTyped,
    /** What a start with the code charges; undefined without a code, or with one that gives nothing. */
    told,
    pending: preview.isFetching,
    /** Something was typed that has not been asked about, or that gives nothing. */
    open: wanted !== '' && (wanted !== code || !told),
    /** Why the code that was asked about gives nothing. */
    refused: wanted === code && error && !isUnauthorized(error) ? errorMessage(error) : undefined,
    apply: () => {
      if (wanted === code && code !== '') void preview.refetch()
      setCode(wanted)
    },
    remove: () => {
      setTyped('')
      setCode('')
    },
    /** The server refused a start with this code, which it took before: asks why. */
    refetch: () => void preview.refetch(),
  }
}

export type Promotion = ReturnType<typeof usePromotion>
