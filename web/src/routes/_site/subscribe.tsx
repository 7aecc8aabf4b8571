import { createFileRoute } from '@tanstack/react-router'
import { getCapabilitiesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { offeredPricesQuery } from '@/api/queries/offered-prices'
import { planLimitsQuery, priceQuery, userQuery } from '@/api/queries/site'
import { Subscribe } from '@/features/checkout/components/subscribe'
import { PlanCards } from '@/features/plans/plan-cards'

export const Route = createFileRoute('/_site/subscribe')({
  staticData: { title: 'checkout.page' },
  loader: async ({ context: { queryClient } }) => {
    if (!(await queryClient.ensureQueryData(userQuery()))) return
    // each has a place of its own on the page, which shows without them
    void queryClient.prefetchQuery(planLimitsQuery())
    void queryClient.prefetchQuery(priceQuery())
    void queryClient.prefetchQuery(offeredPricesQuery())
    void queryClient.prefetchQuery(getCapabilitiesOptions())
  },
  component: () => <Subscribe plans={<PlanCards />} />,
})
