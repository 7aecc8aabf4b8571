import { type RefObject, useEffect, useState } from 'react'
import { useNearViewport } from './use-near-viewport'

/** After so much time, in milliseconds, the browser has shown what is seen first and has time for more. */
const REST = 3_000

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'focusin', 'wheel', 'touchstart', 'scroll'] as const

/**
 * Whether what stands further down the page is needed: the place where it begins is nearly seen, or the reader does
 * something. Without either it is after three seconds, for those who search the page or have it read out.
 */
export function useNeeded(place: RefObject<Element | null>): boolean {
  const near = useNearViewport(place)
  const [awaited, setAwaited] = useState(false)
  useEffect(() => {
    if (near || awaited) return
    const stop = new AbortController()
    const need = () => setAwaited(true)
    const options = { capture: true, passive: true, signal: stop.signal }
    for (const sign of SIGNS) window.addEventListener(sign, need, options)
    const timer = setTimeout(need, REST)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [near, awaited])
  return near || awaited
}
