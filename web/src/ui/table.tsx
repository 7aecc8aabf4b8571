import type { ComponentProps } from 'react'
import { cn } from './cn'

type TableProps = ComponentProps<'table'> & { caption: string }

/** Rows on hairlines; wider than the screen, it scrolls by itself. `caption` names it for who cannot see it. */
export function Table({ caption, className, children, ...props }: TableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset or section would say more than there is
    <div
      role="group"
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg bg-surface shadow-1"
    >
      <table className={cn('w-full border-collapse text-note', className)} {...props}>
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  )
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
