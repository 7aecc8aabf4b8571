import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { SegmentedControl } from '@/ui/form/radio-group'

type Props = {
  value: number
  /** What one request may ask for. */
  max: number
  /** How many the plan leaves. */
  left: number
  onChange: (count: number) => void
}

/** How many covers are made at once. */
export function VariantCount({ value, max, left, onChange }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const counts = Array.from({ length: max }, (_, place) => place + 1)
  return (
    <div className="mb-3 flex items-center justify-between gap-3">
      <span aria-hidden className="text-sm font-medium">
        {t('generator.variants.label')}
      </span>
      <SegmentedControl
        legend={t('generator.variants.label')}
        hideLegend
        name="variant-count"
        value={String(value)}
        options={counts.map((count) => ({
          value: String(count),
          label: number(count),
          disabled: count > 1 && count > left,
        }))}
        onChange={(count) => onChange(Number(count))}
      />
    </div>
  )
}
