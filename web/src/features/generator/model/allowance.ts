import { type Counted, coversLeft, monthlyLimit } from '@/api/covers-left'
import type { PlanLimits } from '@/api/generated'
import { i18n } from '@/i18n'
import { formatters } from '@/i18n/format'

/** What may be made in all this month, credits included, and what of it is left; both Infinity without a limit. */
export type Allowance = {
  limit: number
  left: number
  reached: boolean
  /** Whether the button itself is closed: readers on the free plan see why beside it. */
  closed: boolean
}

export function allowanceOf(reader: Counted, limits: PlanLimits): Allowance {
  const left = coversLeft(reader, limits)
  return {
    limit: monthlyLimit(reader, limits) + reader.credits,
    left,
    reached: left === 0,
    closed: left === 0 && !reader.isPro,
  }
}

/** Says what a reader at the limit can do. */
export function limitMessage(reader: Counted, limits: PlanLimits): string {
  const counted = (count: number) => ({ count, formatted: formatters(i18n.language).number(count) })
  if (reader.isPro) return i18n.t('generator.limit.pro', counted(limits.proMonthlyLimit))
  if (limits.proUnlimited) return i18n.t('generator.limit.freeUnlimited')
  return i18n.t('generator.limit.free', counted(limits.proMonthlyLimit))
}

/** When the count begins again: with the next month, in UTC. */
export function nextMonthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}
