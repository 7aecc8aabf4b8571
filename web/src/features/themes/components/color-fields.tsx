import { Plus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { MIN_CONTRAST, widestContrast } from '../contrast'

const MOST = 8
/** What a new color begins as. */
const FRESH = '#D9CBB5'

type Props = { colors: readonly string[]; error: string | undefined; onChange: (colors: readonly string[]) => void }

/** The colors of a theme, one to eight, with a word on whether type can be read in them. */
export function ColorFields({ colors, error, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const ratio = widestContrast(colors)
  const shown = format.decimal(Math.floor(ratio * 10) / 10)
  const hint = ratio >= MIN_CONTRAST ? 'themes.form.readable' : 'themes.form.unreadable'

  function remove(place: number) {
    onChange(colors.filter((_, index) => index !== place))
    // the button that had the focus is gone
    requestAnimationFrame(() => group.current?.querySelector<HTMLElement>('[data-add]')?.focus())
  }

  return (
    <fieldset ref={group} className="min-w-0" aria-describedby={`${id}-note`} aria-invalid={error ? true : undefined}>
      <legend className="mb-3 text-sm font-medium">{t('themes.form.colors')}</legend>
      <div className="flex flex-wrap gap-2.5">
        {colors.map((color, place) => {
          const number = format.number(place + 1)
          return (
            <span key={place} className="relative">
              <input
                type="color"
                aria-label={t('themes.form.color', { number })}
                value={color.toLowerCase()}
                onChange={(event) =>
                  onChange(colors.map((old, index) => (index === place ? event.target.value.toUpperCase() : old)))
                }
                className="block size-12 cursor-pointer appearance-none overflow-hidden rounded-md border border-field-line bg-transparent [&::-moz-color-swatch]:border-0 [&::-webkit-color-swatch]:border-0 [&::-webkit-color-swatch-wrapper]:p-0"
              />
              <button
                type="button"
                aria-label={t('themes.form.removeColor', { number })}
                onClick={() => remove(place)}
                className="absolute -inset-e-2 -top-2 grid size-6 place-items-center rounded-full bg-raised text-ink shadow-1 ring-1 ring-line-strong hover:bg-sunken"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </span>
          )
        })}
        <Button
          data-add
          variant="outline"
          className="size-12 border-dashed px-0"
          aria-label={t('themes.form.addColor')}
          disabled={colors.length >= MOST}
          onClick={() => onChange([...colors, FRESH])}
        >
          <Plus aria-hidden />
        </Button>
      </div>
      <p id={`${id}-note`} className={cn('mt-2 text-xs leading-relaxed', error ? 'text-danger' : 'text-ink-3')}>
        {error ?? (colors.length > 1 && t(hint, { ratio: shown }))}
      </p>
    </fieldset>
  )
}
