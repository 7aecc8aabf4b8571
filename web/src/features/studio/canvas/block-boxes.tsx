import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Block, InkBox, Lettering } from '@/api/generated'
import { cn } from '@/ui/cn'
import { moved, snapped, withBlock } from '../model/blocks'

type Props = {
  lettering: Lettering
  inks: readonly InkBox[]
  selected: number | undefined
  onSelect: (index: number | undefined) => void
  onChange: (lettering: Lettering, field: string) => void
}

/** How far one press of an arrow key goes, as a share of the panel, and with Shift. */
const STEP = 0.01
const LEAP = 0.05
/** Pixels that a pointer moves before it drags. */
const SLACK = 3

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

type Drag = { x: number; y: number; block: Block; ink: InkBox; moves: boolean; field: string }

/** The blocks as boxes over the picture: chosen, dragged, and moved with the arrow keys. */
export function BlockBoxes({ lettering, inks, selected, onSelect, onChange }: Props) {
  const { t } = useTranslation()
  const hint = useId()
  const drag = useRef<Drag>(undefined)
  const drags = useRef(0)

  function press(event: KeyboardEvent, index: number, block: Block, ink: InkBox) {
    if (event.key === 'Escape') onSelect(undefined)
    const arrow = ARROWS[event.key]
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onSelect(index)
    const far = event.shiftKey ? LEAP : STEP
    onChange(withBlock(lettering, index, moved(block, ink, arrow[0] * far, arrow[1] * far)), `place-${index}`)
  }
  function grab(event: PointerEvent<HTMLElement>, block: Block, ink: InkBox) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drags.current += 1
    drag.current = { x: event.clientX, y: event.clientY, block, ink, moves: false, field: `drag-${drags.current}` }
  }
  function pull(event: PointerEvent<HTMLElement>, index: number) {
    const from = drag.current
    const panel = event.currentTarget.parentElement?.getBoundingClientRect()
    if (!from || !panel) return
    const across = event.clientX - from.x
    const down = event.clientY - from.y
    if (!from.moves && Math.hypot(across, down) < SLACK) return
    from.moves = true
    onSelect(index)
    const by = snapped(from.ink, across / panel.width, down / panel.height)
    onChange(withBlock(lettering, index, moved(from.block, from.ink, by.across, by.down)), from.field)
  }
  const release = () => {
    drag.current = undefined
  }

  return (
    <>
      <span id={hint} hidden>
        {t('studio.block.hint')}
      </span>
      {(lettering.blocks ?? []).map((block, index) => {
        const ink = inks[index]
        if (!ink || !block.text.trim() || ink.role !== block.role || ink.width === 0) return null
        const chosen = index === selected
        return (
          <button
            key={index}
            type="button"
            data-block={index}
            aria-label={t('studio.block.name', { role: t(`studio.role.${block.role}`), text: block.text })}
            aria-describedby={hint}
            aria-pressed={chosen}
            onClick={() => onSelect(index)}
            onKeyDown={(event) => press(event, index, block, ink)}
            onPointerDown={(event) => grab(event, block, ink)}
            onPointerMove={(event) => pull(event, index)}
            onPointerUp={release}
            onPointerCancel={release}
            className={cn(
              'absolute cursor-move rounded-xs outline-1 outline-transparent outline-dashed outline-offset-2 hover:outline-white hover:mix-blend-difference focus-visible:outline-2 focus-visible:outline-accent focus-visible:outline-solid',
              chosen && 'touch-none shadow-[0_0_0_2px_white,0_0_0_4px_var(--accent)]',
            )}
            style={{
              insetInlineStart: `${ink.left * 100}%`,
              top: `${ink.top * 100}%`,
              width: `${ink.width * 100}%`,
              height: `${ink.height * 100}%`,
            }}
          />
        )
      })}
    </>
  )
}
