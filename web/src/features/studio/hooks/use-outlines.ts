import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Lettering } from '@/api/generated'
import { outlinesQuery } from '../api/queries'

/** The shortest time between two questions, in milliseconds: a drag makes more changes than a screen shows. */
const APART = 50

/**
 * The outlines of a lettering that is being changed. The first change is asked for at once, further ones when the answer
 * has come, the last one always.
 */
export function useOutlines(lettering: Lettering | null, width: number, height: number) {
  const [asked, setAsked] = useState(lettering)
  const askedAt = useRef(0)
  const query = useQuery({
    ...outlinesQuery(asked ?? { blocks: [] }, width, height),
    enabled: asked !== null,
  })
  const { isFetching } = query
  useEffect(() => {
    if (asked === lettering || isFetching) return
    const ask = () => {
      askedAt.current = performance.now()
      setAsked(lettering)
    }
    const wait = askedAt.current + APART - performance.now()
    if (wait <= 0) {
      ask()
      return
    }
    const timer = setTimeout(ask, wait)
    return () => clearTimeout(timer)
  }, [asked, lettering, isFetching])
  return query
}
