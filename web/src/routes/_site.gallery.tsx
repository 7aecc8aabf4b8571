import { createFileRoute } from '@tanstack/react-router'
import { lazy, useEffect } from 'react'
import { useUser } from '@/api/queries'
import { sendToSignIn } from '@/features/shell/unauthorized'
import { Spinner } from '@/ui/states'

export const Route = createFileRoute('/_site/gallery')({ component: Gallery, staticData: { title: 'nav.gallery' } })

const Home = lazy(() => import('./-home'))

function Gallery() {
  return useUser() ? <Home /> : <SignedOut />
}

function SignedOut() {
  useEffect(sendToSignIn, [])
  return <Spinner className="min-h-[60dvh]" />
}
