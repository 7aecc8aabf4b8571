import { type ReactNode, useId } from 'react'

type Props = { title: string; lead: string; children: ReactNode }

/** One matter of a page: what it is called, what it does, and how it is changed. */
export function Card({ title, lead, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-lg bg-surface p-5 shadow-1 md:p-6">
      <h2 id={id} className="font-medium">
        {title}
      </h2>
      <p className="mt-1 mb-5 max-w-text text-sm leading-relaxed text-ink-2">{lead}</p>
      {children}
    </section>
  )
}
