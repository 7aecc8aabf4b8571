import { Eraser, Undo2 } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { FIELDS, isMarked, type Mark, toggled } from '../model/region'

const FIELD_NAMES = [
  'topLeft',
  'top',
  'topRight',
  'left',
  'middle',
  'right',
  'bottomLeft',
  'bottom',
  'bottomRight',
] as const

type Props = {
  marks: readonly Mark[]
  onChange: (marks: readonly Mark[]) => void
  /** Width of the brush as a share of the picture's. */
  brush: number
  onBrush: (brush: number) => void
  error: string | undefined
}

/** What to mark with: the brush, and the nine fields of the picture, which need no pointer. */
export function RegionPicker({ marks, onChange, brush, onBrush, error }: Props) {
  const { t } = useTranslation()
  const { percent } = useFormat()
  const id = useId()
  return (
    <div className="rounded-lg border border-line p-4">
      <p className="text-note leading-relaxed text-ink-2">{t('refine.region.lead')}</p>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-40 flex-1">
          <label htmlFor={id} className="flex justify-between gap-3 text-note">
            {t('refine.region.brush')}
            <span className="text-ink-3 tabular-nums">{percent(brush)}</span>
          </label>
          <input
            id={id}
            type="range"
            min={2}
            max={40}
            step={1}
            value={Math.round(brush * 100)}
            aria-valuetext={percent(brush)}
            onChange={({ target }) => onBrush(Number(target.value) / 100)}
            className="mt-1 h-8 w-full accent-accent"
          />
          <div className="mt-2 flex flex-wrap gap-2">
            <Button
              variant="outline"
              size="sm"
              disabled={marks.length === 0}
              onClick={() => onChange(marks.slice(0, -1))}
            >
              <Undo2 aria-hidden className="rtl:-scale-x-100" />
              {t('studio.undo')}
            </Button>
            <Button variant="outline" size="sm" disabled={marks.length === 0} onClick={() => onChange([])}>
              <Eraser aria-hidden />
              {t('refine.region.clear')}
            </Button>
          </div>
        </div>
        <fieldset>
          <legend className="mb-1.5 text-note">{t('refine.region.fields')}</legend>
          {/* where they lie in the picture, which has no direction of reading */}
          <div dir="ltr" className="grid w-fit grid-cols-3 gap-1">
            {FIELD_NAMES.slice(0, FIELDS * FIELDS).map((name, field) => (
              <button
                key={name}
                type="button"
                aria-label={t(`refine.region.field.${name}`)}
                aria-pressed={isMarked(marks, field)}
                onClick={() => onChange(toggled(marks, field))}
                className={cn(
                  'h-11 w-9 rounded-xs border border-field-line hover:bg-sunken',
                  isMarked(marks, field) && 'border-accent bg-accent hover:bg-accent',
                )}
              />
            ))}
          </div>
        </fieldset>
      </div>
      <p role="alert" className={cn('text-xs text-danger', error && 'mt-3')}>
        {error}
      </p>
    </div>
  )
}
