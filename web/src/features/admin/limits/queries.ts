import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { PlanLimits } from '@/api/generated'
import { getAdminPlanLimitsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { planLimitsQuery, userQuery } from '@/api/queries/site'
import { EACH_VISIT } from '@/api/queries/warm'

export const limitsQuery = () => queryOptions({ ...getAdminPlanLimitsOptions(), staleTime: EACH_VISIT })

/** Puts saved limits into the cache and refetches them where users read them. */
export function applySavedLimits(queryClient: QueryClient, saved: PlanLimits): Promise<void> {
  queryClient.setQueryData(limitsQuery().queryKey, saved)
  return queryClient.invalidateQueries({ queryKey: planLimitsQuery().queryKey })
}

/** Refetches the administrator's own usage after all counters were reset. */
export const invalidateUsage = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: userQuery().queryKey })
