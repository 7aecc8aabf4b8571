import { createFileRoute } from '@tanstack/react-router'
import { planLimitsQuery, priceQuery } from '@/api/queries/site'
import { Footer } from '@/features/landing/footer'
import { PricingPage } from '@/features/landing/pricing-page'
import { i18n, PAGES_NAMESPACE } from '@/i18n'

export const Route = createFileRoute('/_site/pricing')({
  loader: async ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(priceQuery())
    void queryClient.prefetchQuery(planLimitsQuery())
    await i18n.loadNamespaces(PAGES_NAMESPACE)
  },
  staticData: { title: 'pages.pricing.title' },
  component: () => (
    <>
      <PricingPage />
      <Footer />
    </>
  ),
})
