import { useId } from 'react'
import { Switch } from './switch'

type Props = { label: string; hint: string; checked: boolean; onChange: (checked: boolean) => void }

/** A switch that takes effect on something, with what it means beside it. */
export function SwitchField({ label, hint, checked, onChange }: Props) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <p id={`${id}-note`} className="mt-0.5 text-xs leading-relaxed text-ink-3">
          {hint}
        </p>
      </div>
      <Switch id={id} checked={checked} onCheckedChange={onChange} aria-describedby={`${id}-note`} />
    </div>
  )
}
