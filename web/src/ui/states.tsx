import { LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from './cn'

/** A turning wheel with the word 'Loading...'. */
export function Spinner({ className }: { className?: string }) {
  const { t } = useTranslation()
  return (
    <div role="status" className={cn('flex items-center justify-center gap-2.5 text-sm text-ink-2', className)}>
      <LoaderCircle aria-hidden className="size-5 animate-spin text-accent" />
      {t('common.loading')}
    </div>
  )
}

/** Holds the place of something that loads, in its final shape. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('skeleton rounded-sm', className)} />
}

/** A word that is still to come, as high as the text around it. */
export function SkeletonWord() {
  return <span aria-hidden className="skeleton inline-block h-[0.8em] w-[4em] rounded-sm" />
}

type EmptyProps = {
  title: string
  body?: string
  action?: ReactNode
  /** It is all there is on the page, so its title is the page's. */
  whole?: boolean
  className?: string
}

/** Nothing here yet: a dashed frame, a sentence, one action. */
export function EmptyState({ title, body, action, whole, className }: EmptyProps) {
  const Title = whole ? 'h1' : 'p'
  return (
    <div className={cn('rounded-xl border border-dashed border-line-strong px-6 py-16 text-center', className)}>
      <Title className="display text-2xl">{title}</Title>
      {body && <p className="mx-auto mt-2 max-w-lead text-sm leading-relaxed text-ink-2">{body}</p>}
      {action && <div className="mt-6 flex justify-center">{action}</div>}
    </div>
  )
}

type ErrorProps = { title: string; body?: string; action?: ReactNode; detail?: string; className?: string }

/** Something failed: what happened, what is safe, what to do now. `detail` shows in development only. */
export function ErrorState({ title, body, action, detail, className }: ErrorProps) {
  return (
    <div role="alert" className={cn('mx-auto max-w-md px-4 py-16 text-center', className)}>
      <p className="display text-3xl">{title}</p>
      {body && <p className="mt-3 leading-relaxed text-ink-2">{body}</p>}
      {import.meta.env.DEV && detail && (
        <pre dir="ltr" className="mt-4 overflow-auto rounded-md bg-sunken p-3 text-start text-xs">
          {detail}
        </pre>
      )}
      {action && <div className="mt-6 flex justify-center gap-2">{action}</div>}
    </div>
  )
}
