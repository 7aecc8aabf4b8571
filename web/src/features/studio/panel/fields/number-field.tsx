import { useId, useState } from 'react'
import { Input } from '@/ui/form/field'

type Props = {
  label: string
  /** A share of 1; shown and typed as per cent. */
  value: number
  max?: number
  onChange: (value: number) => void
}

const shown = (value: number) => String(Math.round(value * 1000) / 10)

/** A share in per cent, taken over when it is finished. */
export function NumberField({ label, value, max = 1, onChange }: Props) {
  const id = useId()
  const [draft, setDraft] = useState<string>()
  function finish() {
    const typed = Number(draft)
    setDraft(undefined)
    if (draft?.trim() && Number.isFinite(typed) && draft !== shown(value))
      onChange(Math.min(Math.max(typed / 100, 0), max))
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs text-ink-2">
        {label}
      </label>
      <Input
        id={id}
        type="number"
        inputMode="decimal"
        dir="ltr"
        min={0}
        max={max * 100}
        step={1}
        className="h-10 tabular-nums"
        value={draft ?? shown(value)}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={finish}
        onKeyDown={({ key }) => key === 'Enter' && finish()}
      />
    </div>
  )
}
