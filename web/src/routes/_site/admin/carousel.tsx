import { createFileRoute } from '@tanstack/react-router'
import { CarouselPage } from '@/features/admin/carousel/carousel-page'
import { slidesQuery } from '@/features/admin/carousel/queries'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/carousel')({
  staticData: { title: 'admin.carousel.title' },
  loader: (loading) => warmPage(loading, (client) => [client.ensureQueryData(slidesQuery())]),
  component: CarouselPage,
})
