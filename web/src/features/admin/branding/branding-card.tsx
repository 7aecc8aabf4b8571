import { type ReactNode, useId } from 'react'

type Props = { title: string; lead: string; aside?: ReactNode; children: ReactNode }

/** One thing that can be changed: what it is on the one side, how it looks on the other. */
export function BrandingCard({ title, lead, aside, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-x-10 gap-y-5 rounded-lg bg-surface p-5 shadow-1 md:p-6 xl:grid-cols-[16rem_minmax(0,1fr)]"
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h2 id={id} className="font-medium">
            {title}
          </h2>
          {aside}
        </div>
        <p className="mt-1.5 max-w-text text-sm leading-relaxed text-ink-2">{lead}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
