import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type CoverSketchOut, type SketchCoverIn, sketchCover } from '@/api/generated'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'

/** So long typing rests before the service is asked, in milliseconds: it draws a small cover each time. */
const PAUSE = 250

/** A cover as its service will make it, small, with the outlines of its words where they are not in the picture. */
export type Sketch = {
  picture: string
  svg: string | null
  /** Whether it is of an order that has changed since. */
  isOld: boolean
}

/** Shows how the service that sets the words itself will set those of an order; the last true sketch stays until another comes. */
export function useSketch(order: SketchCoverIn | undefined): Sketch | undefined {
  const now = order && JSON.stringify(order)
  const wanted = useDebouncedValue(now, PAUSE)
  const { data } = useQuery({
    queryKey: ['generator', 'sketch', wanted],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(wanted ?? '') as SketchCoverIn
      return (await sketchCover({ body, signal, throwOnError: true })).data
    },
    enabled: wanted !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const last = useRef<CoverSketchOut>(undefined)
  useEffect(() => {
    if (!now) last.current = undefined
    else if (data) last.current = data
  }, [now, data])
  const shown = data ?? last.current
  if (!now || !shown) return undefined
  return { picture: shown.picture, svg: shown.svg, isOld: !data || wanted !== now }
}
