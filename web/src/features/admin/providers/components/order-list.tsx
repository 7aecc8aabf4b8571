import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { dropIndex, reorder } from '../reorder'

export type Entry = { id: string; label: string }

type Props = {
  label: string
  entries: readonly Entry[]
  onOrder: (order: string[]) => void
  children: (id: string) => ReactNode
}

/** A list whose order the reader makes: by dragging, with buttons, or with Alt and the arrow keys. */
export function OrderList({ label, entries, onOrder, children }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [dragged, setDragged] = useState<{ id: string; order: string[] }>()
  const [said, setSaid] = useState('')
  const rows = useRef(new Map<string, HTMLLIElement>())
  const keepFocus = useKeptFocus()
  const saved = entries.map(({ id }) => id)
  const order = dragged?.order ?? saved
  const names = new Map(entries.map(({ id, label }) => [id, label]))

  function move(id: string, place: number) {
    const next = reorder(saved, id, place)
    if (next.join() === saved.join()) return
    keepFocus()
    onOrder(next)
    setSaid(
      t('admin.providers.order.moved', {
        label: names.get(id),
        place: format.number(next.indexOf(id) + 1),
        count: next.length,
        formatted: format.number(next.length),
      }),
    )
  }

  function onKeyDown(event: KeyboardEvent, id: string) {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(id, saved.indexOf(id) + (event.key === 'ArrowUp' ? -1 : 1))
  }

  function onPointerMove(event: PointerEvent) {
    if (!dragged) return
    const boxes = dragged.order.flatMap((id) => {
      const box = rows.current.get(id)?.getBoundingClientRect()
      return box ? [{ id, top: box.top, height: box.height }] : []
    })
    setDragged({ ...dragged, order: reorder(dragged.order, dragged.id, dropIndex(event.clientY, boxes, dragged.id)) })
  }

  function drop() {
    if (dragged) move(dragged.id, dragged.order.indexOf(dragged.id))
    setDragged(undefined)
  }

  return (
    <>
      <ol aria-label={label} className="divide-y divide-line">
        {order.map((id, place) => (
          <li
            key={id}
            ref={(row) => {
              if (row) rows.current.set(id, row)
              else rows.current.delete(id)
            }}
            onKeyDown={(event) => onKeyDown(event, id)}
            className={cn('relative flex gap-2 bg-surface p-4 ps-2', dragged?.id === id && 'z-10 bg-raised shadow-2')}
          >
            {entries.length > 1 && (
              <div className="flex flex-col items-center">
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={t('admin.providers.order.up', { label: names.get(id) })}
                  aria-disabled={place === 0}
                  className="aria-disabled:opacity-40"
                  onClick={() => move(id, place - 1)}
                >
                  <ChevronUp />
                </Button>
                <span
                  aria-hidden
                  className="grid size-8 cursor-grab touch-none place-items-center text-ink-3 active:cursor-grabbing"
                  onPointerDown={(event) => {
                    event.currentTarget.setPointerCapture(event.pointerId)
                    setDragged({ id, order: saved })
                  }}
                  onPointerMove={onPointerMove}
                  onPointerUp={drop}
                  onPointerCancel={() => setDragged(undefined)}
                >
                  <GripVertical className="size-4" />
                </span>
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={t('admin.providers.order.down', { label: names.get(id) })}
                  aria-disabled={place === order.length - 1}
                  className="aria-disabled:opacity-40"
                  onClick={() => move(id, place + 1)}
                >
                  <ChevronDown />
                </Button>
              </div>
            )}
            <div className={cn('min-w-0 flex-1', entries.length === 1 && 'ps-2')}>{children(id)}</div>
          </li>
        ))}
      </ol>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  )
}

/** A row that changes its place is taken out and put in again by the browser, and loses the focus on the way. */
function useKeptFocus() {
  const kept = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    kept.current?.focus()
    kept.current = null
  })
  return () => {
    kept.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
  }
}
