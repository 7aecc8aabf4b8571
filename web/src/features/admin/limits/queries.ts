import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { PlanLimits } from '@/api/generated'
import { getAdminPlanLimitsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { planLimitsQuery, userQuery } from '@/api/queries'

export const limitsQuery = () => queryOptions({ ...getAdminPlanLimitsOptions(), staleTime: 0 })

/** After limits were stored: here, and wherever people read them. */
export function takeOver(queries: QueryClient, saved: PlanLimits): Promise<void> {
  queries.setQueryData(limitsQuery().queryKey, saved)
  return queries.invalidateQueries({ queryKey: planLimitsQuery().queryKey })
}

/** After all counters were set to zero: the administrator's own, too. */
export const refreshCount = (queries: QueryClient) => queries.invalidateQueries({ queryKey: userQuery().queryKey })
