import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { getSiteStatsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { carouselQuery, planLimitsQuery, priceQuery, userQuery, useUser } from '@/api/queries/site'
import { validateGallerySearch } from '@/features/gallery/cover-filter'
import { Home, preloadHome } from '../-load-home'

export const Route = createFileRoute('/_site/')({
  codeSplitGroupings: [['component']],
  validateSearch: validateGallerySearch,
  loader: async ({ context: { queryClient } }) => {
    if (await queryClient.ensureQueryData(userQuery())) {
      void preloadHome(queryClient)
      return
    }
    // the landing page shows without these; asking now saves the wait for its code
    void queryClient.prefetchQuery(getSiteStatsOptions())
    void queryClient.prefetchQuery(priceQuery())
    void queryClient.prefetchQuery(planLimitsQuery())
    void queryClient.prefetchQuery(carouselQuery())
  },
  component: Front,
})

const Landing = lazy(() => import('@/features/landing/landing'))

function Front() {
  return useUser() ? <Home /> : <Landing />
}
