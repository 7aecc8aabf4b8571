import { ChevronDown, Eye, EyeOff, Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '../cn'

export type FieldAria = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

type FieldProps = {
  /** Given where the page has to find the control. */
  id?: string
  label: string
  hint?: ReactNode
  error?: string
  /** Shows the hint below the error as well, where it says how to put that right. */
  keepHint?: boolean
  /** Stands at the end of the label's line: a counter, a link. */
  aside?: ReactNode
  className?: string
  children: (aria: FieldAria) => ReactNode
}

/** A labelled control with its hint or its error below; hand `aria` on to the control. */
export function Field({ id: given, label, hint, error, keepHint, aside, className, children }: FieldProps) {
  const own = useId()
  const id = given ?? own
  const note = error ?? hint
  const kept = keepHint && error !== undefined && hint
  const aria: FieldAria = {
    id,
    ...(error && { 'aria-invalid': true }),
    ...(note && { 'aria-describedby': kept ? `${id}-note ${id}-hint` : `${id}-note` }),
  }
  return (
    <div className={className}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside && <span className="text-xs text-ink-3 tabular-nums">{aside}</span>}
      </div>
      {children(aria)}
      {note && (
        <p id={`${id}-note`} className={cn('mt-1.5 text-xs leading-relaxed', error ? 'text-danger' : 'text-ink-3')}>
          {note}
        </p>
      )}
      {kept && (
        <div id={`${id}-hint`} className="mt-1 text-xs leading-relaxed text-ink-3">
          {hint}
        </div>
      )}
    </div>
  )
}

/** One line of text. Readers' own words get `dir="auto"`; give `dir="ltr"` for email, links and codes. */
export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input dir="auto" placeholder=" " className={cn('field h-11', className)} {...props} />
}

/** One email address, written from left to right in every language. */
export function EmailInput(props: ComponentProps<'input'>) {
  return (
    <Input
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      className="rtl:text-end"
      {...props}
    />
  )
}

type SearchInputProps = Omit<ComponentProps<'input'>, 'type' | 'aria-label'> & { label: string }

/** What a list is searched by; `className` is that of the whole. Its label stands in it until something is typed. */
export function SearchInput({ label, placeholder = label, className, ...props }: SearchInputProps) {
  return (
    <span className={cn('relative block', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-s-3 top-1/2 size-4 -translate-y-1/2 text-ink-3"
      />
      <Input type="search" aria-label={label} placeholder={placeholder} className="ps-9" {...props} />
    </span>
  )
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea dir="auto" placeholder=" " rows={4} className={cn('field resize-y', className)} {...props} />
}

/** The browser's own picker: right on phones, with a keyboard, in every language. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select className={cn('field h-11 cursor-pointer appearance-none pe-10', className)} {...props} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-e-3 top-1/2 size-4 -translate-y-1/2 text-ink-3"
      />
    </span>
  )
}

export function PasswordInput({ className, ...props }: ComponentProps<'input'>) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <span className="relative block">
      <input
        dir="ltr"
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        className={cn('field h-11 pe-12 rtl:text-end', className)}
        {...props}
      />
      <button
        type="button"
        aria-label={t('auth.showPassword')}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-e-0 top-0 grid size-11 place-items-center rounded-md text-ink-3 hover:text-ink"
      >
        <Icon className="size-4.5" />
      </button>
    </span>
  )
}
