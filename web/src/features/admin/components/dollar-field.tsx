import type { ReactNode } from 'react'
import { Field, Input } from '@/ui/form/field'

type Props = {
  label: string
  hint?: ReactNode
  error?: string
  keepHint?: boolean
  value: string
  onChange: (value: string) => void
}

const SIGN = '$'

/** An amount of dollars, or nothing. */
export function DollarField({ label, hint, error, keepHint, value, onChange }: Props) {
  return (
    <Field label={label} hint={hint} error={error} keepHint={keepHint}>
      {(aria) => (
        <span dir="ltr" className="relative block">
          <span aria-hidden className="absolute inset-s-3 top-1/2 -translate-y-1/2 text-ink-3">
            {SIGN}
          </span>
          <Input
            {...aria}
            dir="ltr"
            inputMode="decimal"
            autoComplete="off"
            className="ps-7 tabular-nums"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  )
}
