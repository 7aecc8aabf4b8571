import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

/** How long a finger has to rest, in milliseconds. */
const LONG = 500
/** A finger that moves further than this scrolls, in pixels. */
const STILL = 8

/** Handlers for an element on which a finger may rest; the click and the menu that follow are kept away. */
export function useLongPress(onPress: () => void) {
  const press = useRef({ timer: undefined as ReturnType<typeof setTimeout> | undefined, x: 0, y: 0, done: false })
  useEffect(() => () => clearTimeout(press.current.timer), [])
  const stop = () => clearTimeout(press.current.timer)
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      stop()
      press.current = { timer: undefined, x: clientX, y: clientY, done: false }
      if (pointerType !== 'touch') return
      press.current.timer = setTimeout(() => {
        press.current.done = true
        onPress()
      }, LONG)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > STILL) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu: (event: MouseEvent) => press.current.timer !== undefined && event.preventDefault(),
    onClickCapture: (event: MouseEvent) => {
      if (!press.current.done) return
      press.current.done = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
