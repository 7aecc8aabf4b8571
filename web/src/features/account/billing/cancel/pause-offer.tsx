import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Select } from '@/ui/form/field'

const MONTHS = [1, 2, 3] as const

type Props = {
  /** Until when is paid, in unix seconds. */
  paidUntil: number
  pausing: boolean
  disabled: boolean
  onPause: (months: number) => void
}

/** The way between staying and leaving: some months without payments. */
export function PauseOffer({ paidUntil, pausing, disabled, onPause }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const title = useId()
  const [months, setMonths] = useState<number>(MONTHS[0])
  const words = 'account.subscription.pause'
  return (
    <section aria-labelledby={title} className="mt-4 rounded-lg bg-sunken p-4">
      <h3 id={title} className="font-medium">
        {t(`${words}.title`)}
      </h3>
      <p className="mt-1 text-sm leading-relaxed text-ink-2">
        {t(`${words}.body`, { until: format.longDate(paidUntil) })}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <Field label={t(`${words}.months`)} className="min-w-36 flex-1">
          {(aria) => (
            <Select
              {...aria}
              value={months}
              disabled={disabled || pausing}
              onChange={({ target }) => setMonths(Number(target.value))}
            >
              {MONTHS.map((count) => (
                <option key={count} value={count}>
                  {t(`${words}.month`, { count })}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button
          variant="outline"
          className="h-11"
          disabled={disabled}
          pending={pausing}
          pendingLabel={t(`${words}.running`)}
          onClick={() => onPause(months)}
        >
          {t(`${words}.confirm`)}
        </Button>
      </div>
    </section>
  )
}
