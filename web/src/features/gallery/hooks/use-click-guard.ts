import { type MouseEvent, useEffect, useRef, useState } from 'react'

/** How long, in ms, a second click of a double click may take. */
const DOUBLE = 1_000
/** A pointer that has moved so far, in px, was moved on purpose. */
const FAR = 8

type Place = { x: number; y: number }

const isFar = (a: Place, b: MouseEvent | PointerEvent) => Math.hypot(a.x - b.clientX, a.y - b.clientY) > FAR

/**
 * Keeps the second click of a double click away from what slides under the pointer when a cover leaves. `hold` begins;
 * it ends when the pointer moves, and soon by itself.
 */
export function useClickGuard() {
  const clicked = useRef<Place>(undefined)
  const [held, setHeld] = useState<Place>()
  useEffect(() => {
    if (!held) return
    const release = () => setHeld(undefined)
    const moved = (event: PointerEvent) => isFar(held, event) && release()
    const timer = setTimeout(release, DOUBLE)
    window.addEventListener('pointermove', moved)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointermove', moved)
    }
  }, [held])

  return {
    held: held !== undefined,
    hold: () => setHeld(clicked.current),
    onClickCapture: (event: MouseEvent) => {
      // a key's click counts no clicks
      const byPointer = event.detail > 0
      if (held && byPointer && !isFar(held, event)) {
        event.preventDefault()
        event.stopPropagation()
        return
      }
      clicked.current = byPointer ? { x: event.clientX, y: event.clientY } : undefined
    },
  }
}
