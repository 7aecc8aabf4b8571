import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** What went wrong with a form as a whole. */
export function FormAlert({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="flex gap-2.5 rounded-md bg-danger-soft px-4 py-3 text-sm leading-relaxed text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  )
}
