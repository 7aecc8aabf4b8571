import { useEffect, useState } from 'react'

/** Milliseconds since the start, counting on from what was known at `at`; renewed four times a second. */
export function useElapsed(known: number, at: number): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return known + Math.max(0, now - at)
}
