import { cn } from './cn'

type Props = {
  name: string
  src?: string | null
  /** On a phone only the mark is shown. */
  crowded?: boolean
}

/** The mark and the name, or the operator's own logo. */
export function Logo({ name, src, crowded }: Props) {
  if (src) {
    // it gives way where there is no room for it, and stays whole
    const place = 'object-contain object-left rtl:object-right'
    return <img src={src} alt={name} className={cn('h-8 w-auto max-w-44 min-w-8', place)} />
  }
  return (
    <>
      <svg viewBox="0 0 28 28" className="size-7 shrink-0 rtl:-scale-x-100" aria-hidden>
        <rect x="4" y="2" width="20" height="24" rx="2.5" fill="var(--ink)" />
        <path d="M6.5 2H9v24H6.5A2.5 2.5 0 0 1 4 23.5v-19A2.5 2.5 0 0 1 6.5 2z" fill="var(--accent)" />
        <path d="M13 10h7M13 14h4.5" stroke="var(--bg)" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
      <bdi className={cn('wordmark truncate max-sm:text-xl', crowded && 'max-sm:sr-only')}>{name}</bdi>
    </>
  )
}
