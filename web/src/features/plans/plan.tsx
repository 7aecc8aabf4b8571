import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PlanLimits } from '@/api/generated'
import { usePrice } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { cn } from '@/ui/cn'
import { SkeletonWord } from '@/ui/states'

type Props = { limits: PlanLimits; note?: string; className?: string; wide?: boolean }

export function FreePlan({ limits, ...rest }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const count = limits.freeMonthlyLimit
  return (
    <Plan
      {...rest}
      name={t('landing.pricing.free.name')}
      price={format.priceEach(0, 'usd', 'month')}
      lines={[
        t('landing.pricing.free.covers', { count, formatted: format.number(count) }),
        t('landing.pricing.free.dimensions'),
        t('landing.pricing.free.quality'),
      ]}
    />
  )
}

export function ProPlan({ limits, ...rest }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const price = usePrice()
  const count = limits.proMonthlyLimit
  return (
    <Plan
      {...rest}
      name={t('landing.pricing.pro.name')}
      price={price && format.priceEach(price.amount, price.currency, price.interval)}
      lines={[
        limits.proUnlimited
          ? t('landing.pricing.pro.unlimited')
          : t('landing.pricing.pro.covers', { count, formatted: format.number(count) }),
        t('landing.pricing.pro.dimensions'),
        t('landing.pricing.pro.themes'),
        t('landing.pricing.pro.support'),
        t('landing.pricing.pro.downloads'),
        t('landing.pricing.pro.customization'),
      ]}
    />
  )
}

type PlanProps = Omit<Props, 'limits'> & { name: string; price: string | undefined; lines: string[] }

function Plan({ name, price, note, lines, className, wide }: PlanProps) {
  return (
    <article className={cn('p-6 md:p-8', className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-lg font-medium">{name}</h3>
        {note && <p className="text-note text-ink-2 tabular-nums">{note}</p>}
      </div>
      <p className="display mt-3 text-3xl tabular-nums">{price ?? <SkeletonWord />}</p>
      <ul className={cn('mt-6 grid grid-cols-1 gap-x-6 gap-y-2.5 text-body', wide && 'lg:grid-cols-2')}>
        {lines.map((line) => (
          <li key={line} className="flex gap-3">
            <Check aria-hidden className="mt-1 size-4 shrink-0 text-ok" />
            {line}
          </li>
        ))}
      </ul>
    </article>
  )
}
