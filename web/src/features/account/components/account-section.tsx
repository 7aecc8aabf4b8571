import { type ReactNode, useId } from 'react'
import { cn } from '@/ui/cn'

type Props = {
  title: string
  lead?: string
  /** Given where other pages lead to this card. */
  anchor?: string
  children: ReactNode
  className?: string
}

/** One card of the account page: what it is about on the one side, what can be done on the other. */
export function AccountSection({ title, lead, anchor, children, className }: Props) {
  const id = useId()
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="grid scroll-mt-20 grid-cols-1 gap-x-12 gap-y-4 border-t border-line py-8 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div className="min-w-0">
        <h2 id={id} className="font-medium wrap-anywhere">
          {title}
        </h2>
        {lead && <p className="mt-1 text-sm leading-relaxed text-ink-2">{lead}</p>}
      </div>
      <div className={cn('min-w-0 rounded-xl bg-surface p-5 shadow-1 md:p-6', className)}>{children}</div>
    </section>
  )
}
