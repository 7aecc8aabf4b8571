import { type CSSProperties, type PointerEvent, type ReactNode, type RefCallback, useLayoutEffect, useRef } from 'react'
import { cn } from '../cn'

/** How many times as large as it fits. */
export const ZOOMS = [1, 2, 4] as const
export type Zoom = (typeof ZOOMS)[number]

export const nextZoom = (zoom: Zoom): Zoom => ZOOMS[(ZOOMS.indexOf(zoom) + 1) % ZOOMS.length] ?? 1

type Props = {
  ref?: RefCallback<HTMLDivElement>
  zoom: Zoom
  onScroll?: (pane: HTMLDivElement) => void
  className?: string
  style?: CSSProperties
  children: ReactNode
}

/** Shows its content enlarged around what was in the middle; it is scrolled, or dragged with the mouse. */
export function ZoomPane({ ref, zoom, onScroll, className, style, children }: Props) {
  const pane = useRef<HTMLDivElement>(null)
  const before = useRef<Zoom>(zoom)
  useLayoutEffect(() => {
    const grown = zoom / before.current
    before.current = zoom
    const shown = pane.current
    if (!shown || grown === 1) return
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = shown
    shown.scrollLeft = (scrollLeft + clientWidth / 2) * grown - clientWidth / 2
    shown.scrollTop = (scrollTop + clientHeight / 2) * grown - clientHeight / 2
  }, [zoom])
  const from = useRef<{ x: number; y: number }>(undefined)
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    // a finger scrolls by itself, and a slider in it is moved
    if (zoom === 1 || event.pointerType !== 'mouse' || event.target instanceof HTMLInputElement) return
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, y: event.clientY }
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!from.current) return
    event.currentTarget.scrollBy({ left: from.current.x - event.clientX, top: from.current.y - event.clientY })
    from.current = { x: event.clientX, y: event.clientY }
  }
  const release = () => {
    from.current = undefined
  }
  return (
    <div
      ref={(shown) => {
        pane.current = shown
        ref?.(shown)
      }}
      // as a picture it is scrolled alike in every language
      dir="ltr"
      onScroll={(event) => onScroll?.(event.currentTarget)}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
      className={cn(zoom > 1 && 'cursor-grab overflow-auto overscroll-contain active:cursor-grabbing', className)}
      style={style}
    >
      <div style={{ width: `${zoom * 100}%` }}>{children}</div>
    </div>
  )
}
