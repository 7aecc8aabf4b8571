import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { useUser } from '@/api/queries'
import { SignedOut } from '@/features/shell/signed-out'

export const Route = createFileRoute('/_site/gallery')({ component: Gallery, staticData: { title: 'nav.gallery' } })

const Home = lazy(() => import('./-home'))

function Gallery() {
  return useUser() ? <Home /> : <SignedOut />
}
