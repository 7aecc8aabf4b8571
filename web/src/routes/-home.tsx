import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { GallerySection } from '@/features/gallery/gallery-section'
import { GeneratorSection } from '@/features/generator/generator'
import { PlanBanner } from '@/features/plans/plan-banner'

/** The signed-in home screen, at `/` and `/gallery`: its sections, stacked. */
export default function Home() {
  const prompt = useRef<HTMLTextAreaElement>(null)
  useGalleryInView()
  return (
    <>
      <GeneratorSection prompt={prompt} />
      <GallerySection onCreate={() => prompt.current?.focus()} />
      <PlanBanner />
    </>
  )
}

/** `/gallery` opens at the gallery. */
function useGalleryInView(): void {
  const { pathname, hash } = useLocation()
  const gallery = pathname === '/gallery' && !hash
  useEffect(() => {
    if (gallery) document.getElementById('gallery')?.scrollIntoView({ behavior: 'instant' })
  }, [gallery])
}
