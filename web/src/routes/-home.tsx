import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { type CoverFilter, filterOf, gallerySearch, searchOf } from '@/features/gallery/filter'
import { GallerySection } from '@/features/gallery/gallery-section'
import { type GeneratorHandle, GeneratorSection } from '@/features/generator/generator'
import { PlanBanner } from '@/features/plans/plan-banner'
import { QuickTheme } from '@/features/themes/quick-theme'
import { ThemeSection } from '@/features/themes/theme-section'

const StartTheme = lazy(() => import('@/features/themes/start-theme'))

/** The signed-in home screen, at `/` and `/gallery`: its sections, stacked. */
export default function Home() {
  const prompt = useRef<HTMLTextAreaElement>(null)
  const generator = useRef<GeneratorHandle>(null)
  const [started, setStarted] = useState<CoverOut>()
  const chooseTheme = ({ id }: ThemeOut) => generator.current?.chooseTheme(id)
  useGalleryInView()
  return (
    <>
      <GeneratorSection
        ref={generator}
        prompt={prompt}
        onStartTheme={setStarted}
        themeExtra={<QuickTheme onMade={chooseTheme} />}
      />
      <GallerySection {...useGalleryAddress()} onCreate={() => prompt.current?.focus()} />
      <ThemeSection onUse={chooseTheme} />
      <PlanBanner />
      {started && (
        <Suspense>
          <StartTheme cover={started} onClose={() => setStarted(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** What the gallery shows is in the address: it can be kept as a link, and the way back leads through it. */
function useGalleryAddress() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    filter: filterOf(gallerySearch(search)),
    onFilter: (filter: CoverFilter, typed = false) =>
      void navigate({ to: '.', search: searchOf(filter), replace: typed, resetScroll: false }),
  }
}

/** `/gallery` opens at the gallery. */
function useGalleryInView(): void {
  const { pathname, hash } = useLocation()
  const gallery = pathname === '/gallery' && !hash
  useEffect(() => {
    if (gallery) document.getElementById('gallery')?.scrollIntoView({ behavior: 'instant' })
  }, [gallery])
}
