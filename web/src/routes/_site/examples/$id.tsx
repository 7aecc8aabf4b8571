import { createFileRoute, notFound } from '@tanstack/react-router'
import { carouselQuery } from '@/api/queries/site'
import { ExamplePage } from '@/features/examples/example-page'
import { Footer } from '@/features/landing/footer'
import { i18n, PAGES_NAMESPACE } from '@/i18n'

export const Route = createFileRoute('/_site/examples/$id')({
  loader: async ({ context: { queryClient }, params }) => {
    await i18n.loadNamespaces(PAGES_NAMESPACE)
    const covers = await queryClient.ensureQueryData(carouselQuery())
    const cover = covers.find(({ id }) => String(id) === params.id)
    if (!cover) throw notFound()
    return { title: cover.title, cover }
  },
  staticData: { title: 'landing.cover' },
  component: Page,
})

function Page() {
  const { cover } = Route.useLoaderData()
  return (
    <>
      <ExamplePage key={cover.id} cover={cover} />
      <Footer />
    </>
  )
}
