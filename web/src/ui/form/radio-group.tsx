import type { ReactNode } from 'react'
import { cn } from '../cn'

type Option<Value extends string> = { value: Value; label: ReactNode; disabled?: boolean }

type ChoiceProps<Value extends string> = {
  legend: string
  hideLegend?: boolean
  name: string
  value: Value | ''
  options: readonly Option<Value>[]
  onChange: (value: Value) => void
  className?: string
}

function Radios<Value extends string>({
  legend,
  hideLegend,
  name,
  value,
  options,
  onChange,
  className,
  item,
}: ChoiceProps<Value> & { item: string }) {
  return (
    <fieldset className="min-w-0">
      <legend className={hideLegend ? 'sr-only' : 'mb-2 text-sm font-medium'}>{legend}</legend>
      <div className={className}>
        {options.map((option) => (
          <label key={option.value} className={item}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** One of several words, as chips that wrap. */
export function ChipGroup<Value extends string>({ className, ...props }: ChoiceProps<Value>) {
  return (
    <Radios
      {...props}
      className={cn('flex flex-wrap gap-1.5', className)}
      item="relative shrink-0 cursor-pointer rounded-full px-3 py-1.5 text-note text-ink-2 ring-1 ring-line-strong ring-inset transition-colors hover:text-ink has-checked:bg-ink has-checked:text-bg has-checked:ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
    />
  )
}

/** One of a few, side by side. */
export function SegmentedControl<Value extends string>({ className, ...props }: ChoiceProps<Value>) {
  return (
    <Radios
      {...props}
      className={cn('flex w-fit max-w-full flex-wrap gap-0.5 rounded-md bg-sunken p-0.5', className)}
      item="relative cursor-pointer rounded-sm px-3 py-1.5 text-note text-ink-2 transition-colors hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-1 has-disabled:cursor-default has-disabled:text-ink-3 has-disabled:opacity-50 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
    />
  )
}
