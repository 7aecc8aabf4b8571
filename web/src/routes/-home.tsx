import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, startTransition, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { GallerySection } from '@/features/gallery/components/gallery-section'
import {
  type CoverFilter,
  filterFromSearch,
  searchFromFilter,
  validateGallerySearch,
} from '@/features/gallery/cover-filter'
import { type GeneratorHandle, GeneratorSection } from '@/features/generator/components/generator-section'
import { PlanBanner } from '@/features/plans/plan-banner'
import { QuickThemeForm } from '@/features/themes/components/quick-theme-form'
import { ThemeSection } from '@/features/themes/components/theme-section'

const CompareDialog = lazy(() => import('@/features/generator/compare/compare-dialog'))
const ThemeFromCoverDialog = lazy(() => import('@/features/themes/components/theme-from-cover-dialog'))

/** The signed-in home screen, at `/` and `/gallery`: its sections, stacked. */
export default function Home() {
  const { t } = useTranslation()
  const prompt = useRef<HTMLTextAreaElement>(null)
  const generator = useRef<GeneratorHandle>(null)
  const [started, setStarted] = useState<CoverOut>()
  const [compared, setCompared] = useState<readonly CoverOut[]>()
  const address = useGalleryAddress()
  const sections = useSections()
  const chooseTheme = ({ id }: ThemeOut) => generator.current?.chooseTheme(id)
  useSectionInView(sections)
  return (
    <>
      <GeneratorSection
        ref={generator}
        prompt={prompt}
        onStartTheme={setStarted}
        themeExtra={<QuickThemeForm onMade={chooseTheme} />}
      />
      {sections > 1 && (
        <GallerySection
          {...address}
          onCreate={() => prompt.current?.focus()}
          onDetails={({ id }) => generator.current?.showDetails(id)}
          onReuse={({ id }, what) => generator.current?.reuse(id, what)}
          onCompare={setCompared}
        />
      )}
      {sections > 2 && <ThemeSection onUse={chooseTheme} />}
      {sections > 2 && <PlanBanner />}
      {started && (
        <Suspense>
          <ThemeFromCoverDialog cover={started} onClose={() => setStarted(undefined)} />
        </Suspense>
      )}
      {compared && (
        <Suspense>
          <CompareDialog
            covers={compared.map((cover) => ({ cover, label: cover.title || t('generator.preview.untitled') }))}
            onClose={() => setCompared(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

const SECTIONS = 3
let visited = false

/** How many sections to build: on a first visit to the top of the page one after the other, so that it can be used. */
function useSections(): number {
  const { pathname, hash } = useLocation()
  const [built, setBuilt] = useState(visited || pathname === '/gallery' || hash ? SECTIONS : 1)
  useEffect(() => {
    visited = true
    if (built < SECTIONS) startTransition(() => setBuilt(built + 1))
  }, [built])
  return built
}

/** What the gallery shows is in the address: it can be kept as a link, and the way back leads through it. */
function useGalleryAddress() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    filter: filterFromSearch(validateGallerySearch(search)),
    // after the address that was asked for last, which may not be shown yet
    onFilter: (change: Partial<CoverFilter>, typed = false) =>
      void navigate({
        to: '.',
        search: (before) => searchFromFilter({ ...filterFromSearch(validateGallerySearch(before)), ...change }),
        replace: typed,
        resetScroll: false,
      }),
  }
}

/** `/gallery` opens at the gallery, and a link at its section: as soon as that is built. */
function useSectionInView(sections: number): void {
  const { pathname, hash } = useLocation()
  const gallery = pathname === '/gallery' && !hash
  const linked = useRef(hash)
  const missed = useRef('')
  useEffect(() => {
    const section = gallery ? 'gallery' : linked.current
    linked.current = ''
    if (section) document.getElementById(section)?.scrollIntoView({ behavior: 'instant' })
  }, [gallery])
  // the browser has followed a link on this page by itself, unless its section was still missing
  useEffect(() => {
    const section = document.getElementById(hash)
    if (section && missed.current === hash) section.scrollIntoView({ behavior: 'instant' })
    missed.current = sections < SECTIONS && !section ? hash : ''
  }, [hash, sections])
}
