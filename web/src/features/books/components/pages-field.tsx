import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sheet } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Field, Input } from '@/ui/form/field'
import { MM_PER_INCH } from '../model/sheet'

type Props = {
  pages: number | null
  range: readonly [number, number]
  error?: string | undefined
  /** The sheet of the chosen edition; null for what has none. */
  sheet: Sheet | null
  onChange: (pages: number | null) => void
}

/** The number of pages, by slider and by number; the spine moves with it. */
export function PagesField({ pages, range: [least, most], error, sheet, onChange }: Props) {
  const { t } = useTranslation()
  const { measure, decimal } = useFormat()
  const slider = useId()
  return (
    <div>
      <div className="flex items-end gap-4">
        <Field label={t('books.pages')} error={error} className="w-28 shrink-0">
          {(aria) => (
            <Input
              {...aria}
              dir="ltr"
              className="tabular-nums rtl:text-end"
              inputMode="numeric"
              maxLength={5}
              value={pages === null ? '' : String(pages)}
              onChange={({ target }) => {
                const typed = target.value.replace(/\D/g, '')
                onChange(typed === '' ? null : Math.min(10_000, Math.max(1, Number(typed))))
              }}
            />
          )}
        </Field>
        <div className="flex-1 pb-2">
          <label htmlFor={slider} className="sr-only">
            {t('books.pagesSlider')}
          </label>
          <input
            id={slider}
            type="range"
            min={least}
            max={most}
            step={2}
            value={Math.min(most, Math.max(least, pages ?? least))}
            onChange={({ target }) => onChange(Number(target.value))}
            className="h-6 w-full cursor-pointer accent-(--accent)"
          />
        </div>
      </div>
      <p role="status" className="mt-2 min-h-5 text-note text-ink-2 tabular-nums">
        {sheet &&
          t('books.spineIs', {
            inches: measure(Math.round(sheet.spine * 10_000) / 10_000),
            millimeters: decimal(sheet.spine * MM_PER_INCH),
          })}
      </p>
    </div>
  )
}
