import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { cancelGeneration, refineCover } from '@/api/generated'
import { getGenerationStatusOptions } from '@/api/generated/@tanstack/react-query.gen'
import { picturesQuery } from '@/api/queries/pictures'
import { invalidateRunning } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'
import { randomKey } from '@/lib/random-key'

/** How often one asks how a refinement stands, in ms. */
const EVERY = 1_000

type Wanted = { change: string; version: number; mask: string | null }

/** Asks for a refinement. What was sent without an answer is sent again under its own key: it may have arrived. */
export function useRefine(id: number) {
  const queryClient = useQueryClient()
  const sent = useRef<{ key: string; body: string }>(undefined)
  return useMutation({
    mutationFn: async (body: Wanted) => {
      const text = JSON.stringify(body)
      if (sent.current?.body !== text) sent.current = { key: randomKey(), body: text }
      const headers = { 'Idempotency-Key': sent.current.key }
      await refineCover({ path: { cover_id: id }, body, headers, throwOnError: true })
      sent.current = undefined
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(picturesQuery(id)),
        queryClient.invalidateQueries(userQuery()),
        invalidateRunning(queryClient),
      ]),
  })
}

/** How a refinement stands, until it has ended; `onEnd` is called once then. */
export function useRefinementStatus(
  id: string,
  onEnd: (status: 'completed' | 'failed' | 'canceled', code?: string) => void,
) {
  const { data } = useQuery({
    ...getGenerationStatusOptions({ path: { generation_id: id } }),
    refetchInterval: ({ state: { data } }) => (data && isEnd(data.status) ? false : EVERY),
  })
  const told = useRef(false)
  const latest = useRef(onEnd)
  latest.current = onEnd
  useEffect(() => {
    if (!data || !isEnd(data.status) || told.current) return
    told.current = true
    latest.current(data.status, data.errorCode ?? undefined)
  }, [data])
  return data
}

const isEnd = (status: string): status is 'completed' | 'failed' | 'canceled' =>
  status === 'completed' || status === 'failed' || status === 'canceled'

export function useCancelRefinement() {
  return useMutation({
    mutationFn: (id: string) => cancelGeneration({ path: { generation_id: id }, throwOnError: true }),
  })
}
