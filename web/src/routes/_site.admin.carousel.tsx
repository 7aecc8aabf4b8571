import { createFileRoute } from '@tanstack/react-router'
import { CarouselPage } from '@/features/admin/carousel/carousel-page'

export const Route = createFileRoute('/_site/admin/carousel')({
  staticData: { title: 'admin.carousel.title' },
  component: CarouselPage,
})
