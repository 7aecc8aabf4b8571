import type { PlanLimits, UserOut } from './generated'

export type Counted = Pick<UserOut, 'isPro' | 'generationsThisMonth' | 'credits'>

/** How many covers a plan gives in a month; Infinity without a limit. */
export function monthlyLimit({ isPro }: Counted, limits: PlanLimits): number {
  if (!isPro) return limits.freeMonthlyLimit
  return limits.proUnlimited ? Number.POSITIVE_INFINITY : limits.proMonthlyLimit
}

/** How many covers a reader has left this month, and by credits beyond it; Infinity without a limit. */
export function coversLeft(reader: Counted, limits: PlanLimits): number {
  return Math.max(0, monthlyLimit(reader, limits) - reader.generationsThisMonth) + reader.credits
}
