import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { title: ReactNode; open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }

/** What few need, folded away under its title. */
export function Fold({ title, open, onOpenChange, children }: Props) {
  return (
    <details open={open} onToggle={({ currentTarget }) => onOpenChange(currentTarget.open)} className="group">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm text-sm font-medium">
        <ChevronRight
          aria-hidden
          className="size-4 text-ink-3 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90"
        />
        {title}
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  )
}
