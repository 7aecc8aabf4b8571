import type { ReactNode } from 'react'

type Props = { title: string; detail: string; children?: ReactNode }

/** One line of the card: what it is, and what can be done with it. */
export function FactorRow({ title, detail, children }: Props) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium wrap-anywhere">
          <bdi>{title}</bdi>
        </p>
        <p className="mt-0.5 text-sm text-ink-2">{detail}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  )
}
