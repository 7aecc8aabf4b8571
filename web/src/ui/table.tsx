import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { cn } from './cn'

type TableProps = ComponentProps<'table'> & { caption: string }

/**
 * Rows on hairlines; wider than the screen, it scrolls by itself. On a phone each row is a card, and each of its cells
 * says under which head it would stand. `caption` names it for who cannot see it.
 */
export function Table({ caption, className, children, ...props }: TableProps) {
  const table = useRef<HTMLTableElement>(null)
  useLayoutEffect(() => labelCells(table.current))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset or section would say more than there is
    <div
      role="group"
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg bg-surface shadow-1"
    >
      <table ref={table} className={cn('row-cards w-full border-collapse text-note', className)} {...props}>
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  )
}

/** Writes the words of each head to the cells below it, for the style sheet to show. A head only to be heard is none. */
function labelCells(table: HTMLTableElement | null) {
  const heads = [...(table?.querySelectorAll('thead th') ?? [])].map((head) =>
    head.querySelector('.sr-only') ? '' : (head.textContent ?? '').trim(),
  )
  for (const row of table?.querySelectorAll('tr:not(thead *)') ?? []) {
    // a cell across columns, as a line that opens below a row, stands under no head
    const cells = [...row.querySelectorAll<HTMLElement>('td, th')]
    const labels = cells.some((cell) => cell.hasAttribute('colspan')) ? [] : heads
    for (const [column, cell] of cells.entries()) {
      if (labels[column]) cell.dataset.label = labels[column]
      else delete cell.dataset.label
    }
  }
}

export function Th({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cn('border-b border-line px-4 py-2.5 text-start font-medium whitespace-nowrap text-ink-2', className)}
      {...props}
    />
  )
}

export function Td({ className, ...props }: ComponentProps<'td'>) {
  return (
    <td
      className={cn('h-13 border-b border-line px-4 py-2 align-middle [tr:last-child>&]:border-0', className)}
      {...props}
    />
  )
}
