import type { QueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import {
  type ComponentProps,
  lazy,
  type RefObject,
  Suspense,
  startTransition,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, ThemeOut } from '@/api/generated'
import {
  getCapabilitiesOptions,
  getGeneratorSettingsOptions,
  listThemesOptions,
} from '@/api/generated/@tanstack/react-query.gen'
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
import { useNeeded } from '@/lib/hooks/use-needed'

const CompareDialog = lazy(() => import('@/features/generator/compare/compare-dialog'))
const ThemeFromCoverDialog = lazy(() => import('@/features/themes/components/theme-from-cover-dialog'))

/** Asks for what the generator needs, before it is built: it is then built once, not again with each answer. */
export function prefetchHome(queryClient: QueryClient): void {
  void queryClient.prefetchQuery(getGeneratorSettingsOptions())
  void queryClient.prefetchQuery(getCapabilitiesOptions())
  void queryClient.prefetchQuery(listThemesOptions())
}

/** The signed-in home screen, at `/` and `/gallery`: its sections, stacked. */
export default function Home() {
  const { t } = useTranslation()
  const prompt = useRef<HTMLTextAreaElement>(null)
  const generator = useRef<GeneratorHandle>(null)
  const [started, setStarted] = useState<CoverOut>()
  const [compared, setCompared] = useState<readonly CoverOut[]>()
  const chooseTheme = ({ id }: ThemeOut) => generator.current?.chooseTheme(id)
  return (
    <>
      <GeneratorSection
        ref={generator}
        prompt={prompt}
        onStartTheme={setStarted}
        themeExtra={<QuickThemeForm onMade={chooseTheme} />}
      />
      <BelowGenerator
        onCreate={() => prompt.current?.focus()}
        onDetails={({ id }) => generator.current?.showDetails(id)}
        onReuse={({ id }, what) => generator.current?.reuse(id, what)}
        onCompare={setCompared}
        onTheme={chooseTheme}
      />
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

type BelowProps = Pick<ComponentProps<typeof GallerySection>, 'onCreate' | 'onDetails' | 'onReuse' | 'onCompare'> & {
  /** Uses a theme for what is made next. */
  onTheme: (theme: ThemeOut) => void
}

// apart, so that the generator is not built once more with each section and each change of the address
function BelowGenerator({ onTheme, ...actions }: BelowProps) {
  const address = useGalleryAddress()
  const place = useRef<HTMLDivElement>(null)
  const sections = useSections(place)
  useSectionInView(sections)
  return (
    <>
      <div ref={place} />
      {sections > 1 && <GallerySection {...address} {...actions} />}
      {sections > 2 && <ThemeSection onUse={onTheme} />}
      {sections > 2 && <PlanBanner />}
    </>
  )
}

const SECTIONS = 3
let visited = false

/**
 * How many sections to build: on a first visit to the top of the page those below it only when they are needed, one after
 * the other, so that the top can be used.
 */
function useSections(place: RefObject<Element | null>): number {
  const { pathname, hash } = useLocation()
  const [built, setBuilt] = useState(visited || pathname === '/gallery' || hash ? SECTIONS : 1)
  const needed = useNeeded(place) || hash !== ''
  useEffect(() => {
    if (!needed || built === SECTIONS) return
    visited = true
    startTransition(() => setBuilt(built + 1))
  }, [built, needed])
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
