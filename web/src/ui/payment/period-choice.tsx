import { useTranslation } from 'react-i18next'
import type { OfferedPriceOut } from '@/api/generated'
import { savedPerYear } from '@/api/queries/offered-prices'
import { useFormat } from '@/i18n/format'

const periods = ['day', 'week', 'month', 'year'] as const

type Props = {
  prices: readonly OfferedPriceOut[]
  chosen: string | undefined
  onChoose: (priceId: string) => void
  /** The price that is paid already cannot be chosen, and says so. */
  markCurrent?: boolean
  disabled?: boolean
}

/** The prices for different periods beside each other, with what the longer one saves. */
export function PeriodChoice({ prices, chosen, onChoose, markCurrent = false, disabled }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <fieldset className="min-w-0" disabled={disabled}>
      <legend className="mb-2 text-sm font-medium">{t('payments.period.legend')}</legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {prices.map((price) => {
          const current = markCurrent && price.current
          const saved = savedPerYear(price, prices)
          const period = periods.find((name) => name === price.interval) ?? 'month'
          return (
            <label
              key={price.priceId}
              className="relative flex min-h-14 cursor-pointer items-start gap-3 rounded-md px-4 py-3 ring-1 ring-line-strong ring-inset transition-colors hover:bg-sunken has-checked:ring-2 has-checked:ring-accent has-disabled:cursor-default has-disabled:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="period"
                className="mt-1 size-4 shrink-0 accent-(--accent)"
                checked={chosen === price.priceId}
                disabled={current}
                onChange={() => onChoose(price.priceId)}
              />
              <span className="min-w-0 text-sm">
                <span className="block font-medium">{t(`payments.period.${period}`)}</span>
                <span className="block text-ink-2 tabular-nums">
                  {format.priceEach(price.amount, price.currency, price.interval)}
                </span>
                {(current || saved > 0) && (
                  <span className={current ? 'block text-note text-ink-2' : 'block text-note text-ok'}>
                    {current
                      ? t('payments.period.current')
                      : t('payments.period.saving', { amount: format.price(saved, price.currency) })}
                  </span>
                )}
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
