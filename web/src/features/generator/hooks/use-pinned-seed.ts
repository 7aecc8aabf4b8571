import { useEffect, useRef, useState } from 'react'
import { MAX_SEED } from '../model/brief'
import { type Generation, isBusy } from '../model/generation'

/** The seed of the next cover where the reader sets none: what is seen while typing is what is made. Another one after each. */
export function usePinnedSeed(generation: Generation): number {
  const [seed, setSeed] = useState(randomSeed)
  const begun = useRef(false)
  const busy = isBusy(generation)
  const underway = generation.step === 'underway'
  useEffect(() => {
    if (busy && underway) begun.current = true
    if (busy || !begun.current) return
    begun.current = false
    setSeed(randomSeed())
  }, [busy, underway])
  return seed
}

const randomSeed = () => Math.floor(Math.random() * (MAX_SEED + 1))
