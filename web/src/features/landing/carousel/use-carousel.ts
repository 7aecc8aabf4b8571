import { useEffect, useState, useSyncExternalStore } from 'react'
import { ADVANCE_INTERVAL, isNearEnd, JUMP_DELAY, sameSlideInMiddle, startSlide } from './carousel-motion'

/** Keep in step with the duration of the track's transition. */
export const SLIDE_DURATION = 600

type Position = { slide: number; gliding: boolean }

/** The position of an endless row: it advances by itself unless paused, and jumps back unseen before it runs out. */
export function useCarousel(count: number, paused: boolean) {
  const [{ slide, gliding }, setPosition] = useState<Position>({ slide: startSlide(count), gliding: true })

  useEffect(() => setPosition({ slide: startSlide(count), gliding: true }), [count])

  useEffect(() => {
    if (paused) return
    const advance = setInterval(() => setPosition((at) => ({ slide: at.slide + 1, gliding: true })), ADVANCE_INTERVAL)
    return () => clearInterval(advance)
  }, [paused])

  useEffect(() => {
    if (!gliding) {
      const resume = setTimeout(() => setPosition((at) => ({ ...at, gliding: true })), JUMP_DELAY)
      return () => clearTimeout(resume)
    }
    if (!isNearEnd(slide, count)) return
    const jump = setTimeout(
      () => setPosition({ slide: sameSlideInMiddle(slide, count), gliding: false }),
      SLIDE_DURATION,
    )
    return () => clearTimeout(jump)
  }, [slide, gliding, count])

  const move = (by: number) => setPosition((at) => ({ slide: at.slide + by, gliding: true }))
  return { slide, gliding, move }
}

function onResize(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}

export function useWindowWidth(): number {
  return useSyncExternalStore(onResize, () => window.innerWidth)
}
