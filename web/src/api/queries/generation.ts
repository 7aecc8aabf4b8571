import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { randomKey } from '@/lib/random-key'
import { cancelGeneration } from '../generated'
import { getGenerationStatusOptions } from '../generated/@tanstack/react-query.gen'

/** How often one asks how a picture that is being made stands, in ms. */
const EVERY = 1_000

type End = 'completed' | 'failed' | 'canceled'

const isEnd = (status: string): status is End => status === 'completed' || status === 'failed' || status === 'canceled'

/** How a picture that is being made stands, until it has ended; `onEnd` is called once then. */
export function useGenerationStatus(id: string, onEnd: (status: End, code?: string) => void) {
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

export function useCancelGeneration() {
  return useMutation({
    mutationFn: (id: string) => cancelGeneration({ path: { generation_id: id }, throwOnError: true }),
  })
}

/** Sends what was not answered again under its own key: it may have arrived. */
export function useKeyed() {
  const sent = useRef<{ key: string; body: string }>(undefined)
  return async (body: unknown, send: (headers: { 'Idempotency-Key': string }) => Promise<unknown>) => {
    const text = JSON.stringify(body)
    if (sent.current?.body !== text) sent.current = { key: randomKey(), body: text }
    await send({ 'Idempotency-Key': sent.current.key })
    sent.current = undefined
  }
}
