import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { useUser } from '@/api/queries'
import { gallerySearch } from '@/features/gallery/filter'
import { SignedOut } from '@/features/shell/signed-out'

export const Route = createFileRoute('/_site/gallery')({
  validateSearch: gallerySearch,
  component: Gallery,
  staticData: { title: 'nav.gallery' },
})

const Home = lazy(() => import('./-home'))

function Gallery() {
  return useUser() ? <Home /> : <SignedOut />
}
