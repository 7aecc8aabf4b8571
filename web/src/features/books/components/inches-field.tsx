import type { ReactNode } from 'react'
import { Field, Input } from '@/ui/form/field'

type Props = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string
  onChange: (typed: string) => void
}

const plain = (typed: string) => typed.replace(',', '.').replace(/[^\d.]/g, '')

/** A measure in inches, as it is typed. */
export function InchesField({ label, hint, error, value, onChange }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(aria) => (
        <Input
          {...aria}
          dir="ltr"
          className="tabular-nums rtl:text-end"
          inputMode="decimal"
          maxLength={8}
          value={value}
          onChange={({ target }) => onChange(plain(target.value))}
        />
      )}
    </Field>
  )
}
