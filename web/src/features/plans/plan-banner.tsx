import { useQuery } from '@tanstack/react-query'
import { Check, Crown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PlanLimits, UserOut } from '@/api/generated'
import { planLimitsQuery, usePrice, useUser } from '@/api/queries'
import { useFormat } from '@/i18n/format'
import { cn } from '@/ui/cn'

const intervals = { month: 'perMonth', year: 'perYear', week: 'perWeek', day: 'perDay' } as const

/** What the reader's plan gives; for readers on the free plan beside what Pro would. */
export function PlanBanner() {
  const { t } = useTranslation()
  const user = useUser()
  const { data: limits } = useQuery(planLimitsQuery())
  if (!user || !limits) return null
  return (
    <section id="pricing" aria-labelledby="plan-title" className="-scroll-mt-4 border-t border-line bg-sunken">
      <div className="mx-auto max-w-[88rem] px-4 py-14 md:px-8 lg:py-20">
        <h2 id="plan-title" className="display text-[clamp(1.875rem,3.4vw,2.75rem)]">
          {t('plans.heading')}
        </h2>
        <div className="mt-8">
          {user.isPro ? <Pro user={user} limits={limits} /> : <Comparison user={user} limits={limits} />}
        </div>
      </div>
    </section>
  )
}

type Props = { user: UserOut; limits: PlanLimits }

function Pro({ user, limits }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const count = limits.proMonthlyLimit
  const used = format.number(user.generationsThisMonth)
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3 rounded-xl bg-surface p-6 shadow-1 md:p-8">
      <Crown aria-hidden className="size-7 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="text-lg font-medium">{t('plans.pro.title')}</p>
        <p className="mt-0.5 text-sm text-ink-2">
          {limits.proUnlimited
            ? t('plans.pro.unlimited')
            : t('plans.pro.covers', { count, formatted: format.number(count) })}
        </p>
      </div>
      <p className="text-sm text-ink-2 tabular-nums">
        {limits.proUnlimited
          ? t('plans.usedUnlimited', { used })
          : t('plans.used', { count, used, formatted: format.number(count) })}
      </p>
    </div>
  )
}

function Comparison({ user, limits }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const price = usePrice()
  const interval = intervals[price.interval as keyof typeof intervals] ?? 'perMonth'
  const covers = (plan: 'free' | 'pro', count: number) =>
    t(`landing.pricing.${plan}.covers`, { count, formatted: format.number(count) })
  const free = limits.freeMonthlyLimit
  return (
    <div className="grid grid-cols-1 divide-line overflow-hidden rounded-xl bg-surface shadow-1 max-md:divide-y md:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)] md:divide-x">
      <Plan
        name={t('landing.pricing.free.name')}
        price={t('landing.pricing.perMonth', { price: format.price(0, 'usd') })}
        note={t('plans.used', {
          count: free,
          used: format.number(user.generationsThisMonth),
          formatted: format.number(free),
        })}
        lines={[covers('free', free), t('landing.pricing.free.dimensions'), t('landing.pricing.free.quality')]}
      />
      <Plan
        name={t('landing.pricing.pro.name')}
        price={t(`landing.pricing.${interval}`, { price: format.price(price.amount, price.currency) })}
        lines={[
          limits.proUnlimited ? t('landing.pricing.pro.unlimited') : covers('pro', limits.proMonthlyLimit),
          t('landing.pricing.pro.dimensions'),
          t('landing.pricing.pro.themes'),
          t('landing.pricing.pro.support'),
          t('landing.pricing.pro.downloads'),
          t('landing.pricing.pro.customization'),
        ]}
      />
    </div>
  )
}

type PlanProps = { name: string; price: string; note?: string; lines: string[] }

function Plan({ name, price, note, lines }: PlanProps) {
  return (
    <article className="p-6 md:p-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-lg font-medium">{name}</h3>
        {note && <p className="text-[0.8125rem] text-ink-2 tabular-nums">{note}</p>}
      </div>
      <p className="display mt-3 text-3xl tabular-nums">{price}</p>
      <ul className={cn('mt-6 grid gap-x-6 gap-y-2.5 text-[0.9375rem]', lines.length > 3 && 'lg:grid-cols-2')}>
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
