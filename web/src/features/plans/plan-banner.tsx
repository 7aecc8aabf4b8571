import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Crown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PlanLimits, UserOut } from '@/api/generated'
import { planLimitsQuery, useUser } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { FreePlan, ProPlan } from './plan'

/** What the reader's plan gives; for readers on the free plan beside what Pro would. */
export function PlanBanner() {
  const { t } = useTranslation()
  const user = useUser()
  const { data: limits } = useQuery(planLimitsQuery())
  if (!user || !limits) return null
  return (
    <section id="pricing" aria-labelledby="plan-title" className="-scroll-mt-4 border-t border-line bg-sunken">
      <div className="mx-auto max-w-page px-4 py-14 md:px-8 lg:py-20">
        <h2 id="plan-title" className="display text-section-title">
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
  const until = user.subscription?.cancel_at
  const grace = user.subscription?.status === 'past_due' ? user.subscription.grace_until : null
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3 rounded-xl bg-surface p-6 shadow-1 md:p-8">
      <Crown aria-hidden className="size-7 shrink-0 text-accent max-sm:self-start" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3 text-lg font-medium">
          {t('plans.pro.title')}
          {until && (
            <span className="text-sm font-normal text-warn">
              {t('plans.pro.until', { date: format.longDate(until) })}
            </span>
          )}
        </p>
        <p className="mt-0.5 text-sm text-ink-2">
          {limits.proUnlimited
            ? t('plans.pro.unlimited')
            : t('plans.pro.covers', { count, formatted: format.number(count) })}
        </p>
      </div>
      <p className="text-sm text-ink-2 tabular-nums max-sm:w-full max-sm:ps-12">
        {limits.proUnlimited
          ? t('plans.usedUnlimited', { used })
          : t('plans.used', { count, used, formatted: format.number(count) })}
      </p>
      <Credits user={user} />
      {grace && (
        <div className="flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
          <p className="max-w-[60ch]">{t('account.due.grace', { date: format.longDate(grace) })}</p>
          <Button asChild size="sm">
            <Link to="/account">{t('account.due.action')}</Link>
          </Button>
        </div>
      )}
    </div>
  )
}

/** Covers that were given beyond the limit; nothing where there are none. */
function Credits({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!user.credits) return null
  return (
    <p className="me-auto w-full text-sm text-ink-2 md:w-auto">
      {t('plans.credits', { count: user.credits, formatted: format.number(user.credits) })}
    </p>
  )
}

function Comparison({ user, limits }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const free = limits.freeMonthlyLimit
  const used = t('plans.used', {
    count: free,
    used: format.number(user.generationsThisMonth),
    formatted: format.number(free),
  })
  return (
    <div className="overflow-hidden rounded-xl bg-surface shadow-1">
      <div className="grid grid-cols-1 divide-line max-md:divide-y md:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)] md:divide-x">
        <FreePlan limits={limits} note={used} />
        <ProPlan limits={limits} wide />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-x-6 gap-y-3 border-t border-line p-6 md:px-8">
        <Credits user={user} />
        <Button asChild size="lg" className="max-md:w-full">
          <Link to="/subscribe">
            <Crown aria-hidden />
            {t('plans.upgrade')}
          </Link>
        </Button>
      </div>
    </div>
  )
}
