import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { HealthOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Skeleton } from '@/ui/states'

/** How an instance did lately, as one divided line. What was not measured is shown as unknown. */
export function HealthStrip({ health, pending }: { health: HealthOut | undefined; pending: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (pending) return <Skeleton className="h-10" />
  const unknown = t('admin.unknown')
  const figure = <T,>(value: T | null | undefined, show: (value: T) => string, none: string) =>
    health ? (value === null || value === undefined ? none : show(value)) : unknown
  const quiet = t('admin.health.quiet')
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap">
      <Figure label={t('admin.health.lastSuccess')}>
        {figure(health?.lastSuccessAt, format.ago, t('admin.health.never'))}
      </Figure>
      <Figure label={t('admin.health.successRate')}>{figure(health?.successRate, format.percent, quiet)}</Figure>
      <Figure label={t('admin.health.p50')}>{figure(health?.p50Ms, format.duration, quiet)}</Figure>
      <Figure label={t('admin.health.p95')}>{figure(health?.p95Ms, format.duration, quiet)}</Figure>
      <Figure label={t('admin.health.spentToday')}>{health ? <Spent health={health} /> : unknown}</Figure>
    </dl>
  )
}

function Spent({ health: { callsToday, spentTodayMicros, unknownToday } }: { health: HealthOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (callsToday === 0) return t('admin.health.quiet')
  const spent = spentTodayMicros === null ? t('admin.unknown') : format.micros(spentTodayMicros)
  if (unknownToday === 0) return spent
  return (
    <>
      {spent}
      <span className="block text-xs text-ink-3">
        {t('admin.health.unknownCalls', { count: unknownToday, formatted: format.number(unknownToday) })}
      </span>
    </>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0 sm:border-s sm:border-line sm:ps-4 sm:first:border-0 sm:first:ps-0">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className="mt-0.5 text-note tabular-nums">{children}</dd>
    </div>
  )
}
