import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/ui/cn'

type Props = {
  label: string
  value: string
  /** Colors of the picture that suit. */
  palette: readonly string[]
  aside?: ReactNode
  onChange: (color: string) => void
}

/** A color: any, or one of the picture's. */
export function ColorField({ label, value, palette, aside, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset className="min-w-0" aria-labelledby={`${id}-name`}>
      <div className="flex min-h-8 items-center justify-between gap-2">
        <label id={`${id}-name`} htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-1.5">
        <input
          id={id}
          type="color"
          value={value.toLowerCase()}
          onChange={({ target }) => onChange(target.value)}
          className="block h-9 w-14 cursor-pointer appearance-none overflow-hidden rounded-md border border-field-line bg-transparent [&::-moz-color-swatch]:border-0 [&::-webkit-color-swatch-wrapper]:p-0 [&::-webkit-color-swatch]:border-0"
        />
        {palette.map((color) => {
          const chosen = color.toLowerCase() === value.toLowerCase()
          return (
            <button
              key={color}
              type="button"
              aria-label={t('studio.color.swatch', { color })}
              aria-pressed={chosen}
              onClick={() => onChange(color)}
              className={cn(
                'size-7 rounded-full border border-field-line',
                chosen && 'ring-2 ring-accent ring-offset-2 ring-offset-bg',
              )}
              style={{ backgroundColor: color }}
            />
          )
        })}
      </div>
    </fieldset>
  )
}
