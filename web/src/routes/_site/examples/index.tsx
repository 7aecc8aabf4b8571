import { createFileRoute } from '@tanstack/react-router'
import { carouselQuery } from '@/api/queries/site'
import { ExamplesPage } from '@/features/examples/examples-page'
import { Footer } from '@/features/landing/footer'
import { i18n, PAGES_NAMESPACE } from '@/i18n'

export const Route = createFileRoute('/_site/examples/')({
  loader: async ({ context: { queryClient } }) => {
    await i18n.loadNamespaces(PAGES_NAMESPACE)
    await queryClient.ensureQueryData(carouselQuery())
  },
  staticData: { title: 'pages.examples.title' },
  component: () => (
    <>
      <ExamplesPage />
      <Footer />
    </>
  ),
})
