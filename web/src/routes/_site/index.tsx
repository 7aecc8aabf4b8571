import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { getSiteStatsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { carouselQuery, planLimitsQuery, priceQuery, userQuery, useUser } from '@/api/queries/site'
import { validateGallerySearch } from '@/features/gallery/cover-filter'

export const Route = createFileRoute('/_site/')({
  codeSplitGroupings: [['component']],
  validateSearch: validateGallerySearch,
  loader: async ({ context: { queryClient } }) => {
    if (await queryClient.ensureQueryData(userQuery())) return
    // the landing page shows without these; asking now saves the wait for its code
    void queryClient.prefetchQuery(getSiteStatsOptions())
    void queryClient.prefetchQuery(priceQuery())
    void queryClient.prefetchQuery(planLimitsQuery())
    void queryClient.prefetchQuery(carouselQuery())
  },
  component: Front,
})

const Landing = lazy(() => import('@/features/landing/landing'))
const Home = lazy(() => import('../-home'))

function Front() {
  return useUser() ? <Home /> : <Landing />
}
