import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { useThemes } from '@/api/queries/themes'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'
import type { CoverFilter } from '../cover-filter'
import { useArchive } from '../hooks/use-archive'
import { ArchiveCard } from './archive-card'
import type { CoverHandlers } from './cover/cover-actions'
import { viewButtonId } from './cover/cover-tile'
import { CoversView } from './covers-view'

const BinView = lazy(() => import('./bin-view'))
const ThemeDialog = lazy(() => import('./theme-dialog'))

const TITLE = 'gallery-title'

type GalleryProps = {
  filter: CoverFilter
  /** `typed` means that the reader is still at it: one step back leads to before it. */
  onFilter: (change: Partial<CoverFilter>, typed?: boolean) => void
  /** Takes the reader to where covers are made. */
  onCreate?: () => void
  /** Tells how a cover was made. */
  onDetails?: CoverHandlers['onDetails']
  /** Takes over how a cover was made, or a part of it. */
  onReuse?: CoverHandlers['onReuse']
  /** Lays two covers side by side. */
  onCompare?: (covers: readonly [CoverOut, CoverOut]) => void
}

/** The reader's covers: found, looked at, downloaded, starred, put into themes and into the bin. */
export function GallerySection({ filter, onFilter, onCreate, onDetails, onReuse, onCompare }: GalleryProps) {
  const { t } = useTranslation()
  const { themes } = useThemes()
  const archive = useArchive()
  const [themed, setThemed] = useState<readonly CoverOut[]>()
  const rememberFocus = useReturnFocus(themed !== undefined)
  // entering and leaving the bin moves the focus to the heading there
  const there = useRef(false)
  useEffect(() => {
    there.current = true
  }, [])

  function chooseTheme(covers: readonly CoverOut[]) {
    const id = covers[0]?.id
    // the button that led here makes room for the theme's name
    rememberFocus(`[role="dialog"] [data-cover="${id}"] a`, `#${viewButtonId(id ?? 0)}`)
    setThemed(covers)
  }

  return (
    <section id="gallery" aria-labelledby={TITLE} className="-scroll-mt-4">
      <div className="mx-auto max-w-page px-4 py-14 md:px-8 lg:py-20">
        {filter.bin ? (
          <Suspense fallback={<h2 id={TITLE}>{t('gallery.bin.title')}</h2>}>
            <BinView titleId={TITLE} there={there} onBack={() => onFilter({ bin: false })} />
          </Suspense>
        ) : (
          <CoversView
            titleId={TITLE}
            there={there}
            filter={filter}
            themes={themes}
            archive={archive}
            onFilter={onFilter}
            onCreate={onCreate}
            onTheme={chooseTheme}
            onDetails={onDetails}
            onReuse={onReuse}
            onCompare={onCompare}
          />
        )}
      </div>
      {archive.archive && (
        <div className="pointer-events-none fixed inset-x-4 bottom-[calc(9rem+env(safe-area-inset-bottom))] z-20 grid justify-items-center *:pointer-events-auto md:bottom-24">
          <ArchiveCard archive={archive.archive} onSave={archive.save} onClose={archive.close} />
        </div>
      )}
      {themed && (
        <Suspense>
          <ThemeDialog covers={themed} themes={themes} onClose={() => setThemed(undefined)} />
        </Suspense>
      )}
    </section>
  )
}
