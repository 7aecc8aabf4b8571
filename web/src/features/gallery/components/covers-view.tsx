import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, ListChecks, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { QueryError } from '@/ui/query/query-error'
import { EmptyState } from '@/ui/states'
import { useDeleteCovers, useOptimisticCovers, useStarCovers } from '../api/mutations'
import { coverPagesQuery, flattenCovers } from '../api/queries'
import { type CoverFilter, isUnfiltered, NO_FILTER } from '../cover-filter'
import type { useArchive } from '../hooks/use-archive'
import { useDense } from '../hooks/use-dense'
import { useFocusOnArrival } from '../hooks/use-focus-on-arrival'
import { type Selection, useSelection } from '../hooks/use-selection'
import type { CoverHandlers } from './cover/cover-actions'
import { CoverDialog } from './cover/cover-dialog'
import { CoverGrid } from './cover/cover-grid'
import { CoverTileSkeletons, viewButtonId } from './cover/cover-tile'
import { GalleryToolbar } from './gallery-toolbar'
import { RunningCards } from './running-cards'
import { SelectionBar } from './selection-bar'

/** Up to this many covers are found without search. */
const NO_TOOLBAR_UP_TO = 4

type ShelfProps = {
  titleId: string
  there: RefObject<boolean>
  filter: CoverFilter
  themes: readonly ThemeOut[]
  archive: ReturnType<typeof useArchive>
  onFilter: (change: Partial<CoverFilter>, typed?: boolean) => void
  onTheme: (covers: readonly CoverOut[]) => void
  onCreate: (() => void) | undefined
  onDetails: CoverHandlers['onDetails']
  onReuse: CoverHandlers['onReuse']
  onCompare: ((covers: readonly [CoverOut, CoverOut]) => void) | undefined
}

/** The covers that are not in the bin, and the actions on them. */
export function CoversView({
  titleId,
  there,
  filter,
  themes,
  archive,
  onFilter,
  onTheme,
  onCreate,
  ...more
}: ShelfProps) {
  const { t } = useTranslation()
  const [viewed, setViewed] = useState<number>()
  const [dense, setDense] = useDense()
  useFocusOnArrival(titleId, there)
  const pages = useInfiniteQuery(coverPagesQuery(filter))
  const loaded = flattenCovers(pages.data)
  const expected = useOptimisticCovers(loaded)
  // one that has just lost its star or changed its theme stays while it is looked at
  const covers = expected.filter((cover) => cover.id === viewed || pages.isPlaceholderData || belongs(cover, filter))
  const selection = useSelection(covers)
  const filtered = !isUnfiltered(filter)

  const star = useStarCovers()
  const focusNext = useFocusNext(titleId)
  const remove = useDeleteCovers(([first]) => focusNext(first))

  const place = covers.findIndex(({ id }) => id === viewed)
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages
  // turning past the last cover, or deleting all of them, must not look like the end
  const atTheEnd = place === covers.length - 1
  useEffect(() => {
    if (atTheEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [atTheEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])

  const discard = (some: readonly CoverOut[]) => {
    const going = new Set(some.map(({ id }) => id))
    const last = covers.findLastIndex(({ id }) => going.has(id))
    const stays = ({ id }: CoverOut) => !going.has(id)
    focusNext(covers.slice(last + 1).find(stays) ?? covers.findLast(stays))
    selection.end()
    remove.mutate(some)
  }
  const setStar = (some: readonly CoverOut[], starred: boolean) =>
    star.mutate({ ids: some.map(({ id }) => id), starred })
  const handlers = {
    onView: ({ id }: CoverOut) => setViewed(id),
    onStar: (cover: CoverOut, starred: boolean) => setStar([cover], starred),
    onDelete: (cover: CoverOut) => discard([cover]),
    onTheme: (cover: CoverOut) => onTheme([cover]),
    onSelect: ({ id }: CoverOut) => selection.toggle(id),
    onDetails: more.onDetails,
  }

  async function loadMore() {
    const { data } = await fetchNextPage()
    const first = flattenCovers(data)[loaded.length]
    if (first) focusNext(first)
  }

  function content() {
    if (pages.isPending || (pages.isError && isUnauthorized(pages.error))) return <CoverTileSkeletons />
    if (!pages.data) return <QueryError title={t('gallery.loadFailed.title')} query={pages} />
    if (covers.length === 0 && !hasNextPage) {
      if (filtered) {
        return (
          <EmptyState
            title={t('gallery.none.title')}
            body={t('gallery.none.body')}
            action={
              <Button variant="outline" onClick={() => onFilter(NO_FILTER)}>
                {t('gallery.none.clear')}
              </Button>
            }
          />
        )
      }
      return (
        <EmptyState
          title={t('gallery.empty.title')}
          body={t('gallery.empty.body')}
          action={onCreate && <Button onClick={onCreate}>{t('gallery.empty.action')}</Button>}
        />
      )
    }
    return (
      <>
        <CoverGrid
          covers={covers}
          themes={themes}
          selection={selection}
          stale={pages.isPlaceholderData}
          dense={dense}
          {...handlers}
        />
        {hasNextPage && (
          <div className="mt-12 grid justify-items-center gap-3">
            {isFetchNextPageError && (
              <p role="alert" className="text-sm text-danger">
                {errorMessage(pages.error)}
              </p>
            )}
            <Button
              variant="outline"
              pending={pages.isFetchingNextPage}
              disabled={pages.isPlaceholderData}
              onClick={() => void loadMore()}
            >
              {t(isFetchNextPageError ? 'errors.retry' : 'gallery.more')}
            </Button>
          </div>
        )}
      </>
    )
  }

  return (
    <>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <h2 id={titleId} tabIndex={-1} className="display text-section-title outline-none">
          {t('gallery.title')}
        </h2>
        <div className="-mx-3 flex flex-wrap gap-1">
          {covers.length > 0 && <SelectButton selection={selection} />}
          <Button asChild variant="ghost" className="md:hidden">
            <Link to="/books">
              <BookOpen aria-hidden />
              {t('nav.books')}
            </Link>
          </Button>
          <Button variant="ghost" onClick={() => onFilter({ ...NO_FILTER, bin: true })}>
            <Trash2 aria-hidden />
            {t('gallery.bin.title')}
          </Button>
        </div>
      </div>
      {(filtered || covers.length > NO_TOOLBAR_UP_TO) && (
        <div className="mb-8">
          <GalleryToolbar filter={filter} themes={themes} onChange={onFilter} dense={dense} onDense={setDense} />
        </div>
      )}
      <RunningCards />
      {content()}
      {selection.on && (
        <div className="pointer-events-none fixed inset-x-2 bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-20 grid justify-items-center *:pointer-events-auto md:bottom-6">
          <SelectionBar
            selection={selection}
            packing={archive.busy}
            onStar={setStar}
            onTheme={onTheme}
            onPack={archive.start}
            onDelete={discard}
            onCompare={more.onCompare}
          />
        </div>
      )}
      <CoverDialog
        cover={covers[place]}
        previous={covers[place - 1]}
        next={covers[place + 1]}
        themes={themes}
        onTurn={handlers.onView}
        onDelete={(cover) => {
          const beside = covers[place + 1] ?? covers[place - 1]
          setViewed(beside?.id)
          discard([cover])
        }}
        onStar={handlers.onStar}
        onTheme={handlers.onTheme}
        onDetails={
          handlers.onDetails &&
          ((cover) => {
            setViewed(undefined)
            handlers.onDetails?.(cover)
          })
        }
        onReuse={
          more.onReuse &&
          ((cover, what) => {
            setViewed(undefined)
            more.onReuse?.(cover, what)
          })
        }
        onClose={() => {
          focusNext(covers[place])
          setViewed(undefined)
        }}
      />
    </>
  )
}

/** Whether a cover is still one of those asked for, after what was done with it on screen. */
function belongs({ starred, themeId }: CoverOut, filter: CoverFilter): boolean {
  return (!filter.starred || starred) && (filter.theme === undefined || filter.theme === (themeId ?? 0))
}

function SelectButton({ selection }: { selection: Selection }) {
  const { t } = useTranslation()
  return (
    <Button variant="ghost" aria-pressed={selection.on} onClick={selection.on ? selection.end : selection.begin}>
      <ListChecks aria-hidden />
      {t(selection.on ? 'gallery.select.end' : 'gallery.select.begin')}
    </Button>
  )
}

/** Moves the focus, once it is there, to a cover, or to the gallery's heading when there is none. */
function useFocusNext(titleId: string) {
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    const element = target && document.getElementById(target)
    if (!element) return
    element.focus()
    setTarget(undefined)
  })
  return (cover: CoverOut | undefined) => setTarget(cover ? viewButtonId(cover.id) : titleId)
}
