import { useQuery } from '@tanstack/react-query'
import { planLimitsQuery } from '@/api/queries/site'
import { Skeleton } from '@/ui/states'
import { FreePlan, ProPlan } from './plan'

/** The plans side by side, for a user who is about to choose. */
export function PlanCards() {
  const { data: limits } = useQuery(planLimitsQuery())
  return (
    <div className="grid grid-cols-1 gap-6 sm:grid-cols-2">
      {limits ? (
        <>
          <FreePlan limits={limits} className="rounded-xl bg-surface shadow-1 max-sm:order-2" />
          <ProPlan limits={limits} className="rounded-xl bg-surface shadow-1 ring-1 ring-line-strong" />
        </>
      ) : (
        <>
          <Skeleton className="h-80 rounded-xl" />
          <Skeleton className="h-80 rounded-xl" />
        </>
      )}
    </div>
  )
}
