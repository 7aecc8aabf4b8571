import { type ReactNode, useId } from 'react'
import { useFormat } from '@/i18n/format'

type Props = {
  label: string
  value: number
  min: number
  max: number
  step: number
  /** The value as it is read. */
  shown: string
  disabled?: boolean
  /** Stands beside the value. */
  aside?: ReactNode
  onChange: (value: number) => void
}

/** A value on a line, with its number. */
export function Slider({ label, value, min, max, step, shown, disabled, aside, onChange }: Props) {
  const id = useId()
  return (
    <div>
      <div className="flex min-h-8 items-center gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <output htmlFor={id} className="ms-auto text-note text-ink-2 tabular-nums">
          {shown}
        </output>
        {aside}
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={Math.min(Math.max(value, min), max)}
        disabled={disabled}
        aria-valuetext={shown}
        onChange={({ target }) => onChange(Number(target.value))}
        className="block h-8 w-full cursor-pointer accent-accent disabled:cursor-default disabled:opacity-50"
      />
    </div>
  )
}

/** A share on a line, from nothing to all unless `max` is less; read in per cent. */
export function ShareSlider({
  max = 1,
  step = 0.02,
  ...rest
}: Omit<Props, 'min' | 'max' | 'step' | 'shown'> & Partial<Props>) {
  return <Slider min={0} max={max} step={step} shown={useFormat().percent(rest.value)} {...rest} />
}
