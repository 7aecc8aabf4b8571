import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import type { CoverOut } from '@/api/generated'
import { sentenceOf } from '@/api/sentence'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { EmptyState, ErrorState } from '@/ui/states'
import { useDeleteCover, useExpected, useStarCover } from './changes'
import { CoverDialog } from './cover-dialog'
import { CoverTile, grid, TileSkeletons, viewButtonId } from './cover-tile'
import { coverPagesQuery, coversOf, everything, isEverything } from './covers'
import { GalleryToolbar } from './gallery-toolbar'
import { useDebounced } from './use-debounced'

/** Up to this many covers are found without search. */
const NO_TOOLBAR_UP_TO = 4
const SEARCH_DELAY = 250
const TITLE = 'gallery-title'

type GalleryProps = {
  /** Takes the reader to where covers are made. */
  onCreate?: () => void
}

/** The reader's covers: found, looked at, downloaded, starred, put into the bin. */
export function GallerySection({ onCreate }: GalleryProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(everything)
  const [viewed, setViewed] = useState<number>()
  const search = useDebounced(chosen.search.trim(), SEARCH_DELAY)
  const filter = { ...chosen, search: chosen.search && search }
  const pages = useInfiniteQuery(coverPagesQuery(filter))
  const loaded = coversOf(pages.data)
  const expected = useExpected(loaded)
  // one that has just lost its star stays while it is looked at
  const covers = chosen.starred ? expected.filter(({ id, starred }) => starred || id === viewed) : expected
  const filtered = !isEverything(chosen)

  const star = useStarCover()
  const remove = useDeleteCover()
  const focusNext = useFocusNext()

  const place = covers.findIndex(({ id }) => id === viewed)
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages
  // turning past the last cover, or deleting all of them, must not look like the end
  const atTheEnd = place === covers.length - 1
  useEffect(() => {
    if (atTheEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [atTheEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])

  const handlers = {
    onView: ({ id }: CoverOut) => setViewed(id),
    onStar: ({ id }: CoverOut, starred: boolean) => star.mutate({ id, starred }),
    onDelete: (cover: CoverOut) => {
      const at = covers.findIndex(({ id }) => id === cover.id)
      focusNext(covers[at + 1] ?? covers[at - 1])
      remove.mutate(cover)
    },
  }

  async function loadMore() {
    const { data } = await fetchNextPage()
    const first = coversOf(data)[loaded.length]
    if (first) focusNext(first)
  }

  function content() {
    if (pages.isPending || (pages.isError && isUnauthorized(pages.error))) return <TileSkeletons />
    if (!pages.data) {
      return (
        <ErrorState
          title={t('gallery.unread.title')}
          body={sentenceOf(pages.error)}
          detail={pages.error?.message}
          action={
            <Button variant="outline" pending={isFetching} onClick={() => void pages.refetch()}>
              {t('errors.retry')}
            </Button>
          }
        />
      )
    }
    if (covers.length === 0 && !hasNextPage) {
      if (filtered) {
        return (
          <EmptyState
            title={t('gallery.none.title')}
            body={t('gallery.none.body')}
            action={
              <Button variant="outline" onClick={() => setChosen(everything)}>
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
        <ul
          aria-busy={pages.isPlaceholderData}
          className={cn(grid, 'transition-opacity delay-300', pages.isPlaceholderData && 'opacity-50')}
        >
          {covers.map((cover) => (
            <CoverTile key={cover.id} cover={cover} {...handlers} />
          ))}
        </ul>
        {hasNextPage && (
          <div className="mt-12 grid justify-items-center gap-3">
            {isFetchNextPageError && (
              <p role="alert" className="text-sm text-danger">
                {sentenceOf(pages.error)}
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
    <section id="gallery" aria-labelledby={TITLE} className="-scroll-mt-4">
      <div className="mx-auto max-w-[88rem] px-4 py-14 md:px-8 lg:py-20">
        <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <h2 id={TITLE} tabIndex={-1} className="display text-[clamp(1.875rem,3.4vw,2.75rem)] outline-none">
            {t('gallery.title')}
          </h2>
          {(filtered || covers.length > NO_TOOLBAR_UP_TO) && <GalleryToolbar filter={chosen} onChange={setChosen} />}
        </div>
        {content()}
      </div>
      <CoverDialog
        cover={covers[place]}
        previous={covers[place - 1]}
        next={covers[place + 1]}
        onTurn={handlers.onView}
        onStar={handlers.onStar}
        onClose={() => {
          focusNext(covers[place])
          setViewed(undefined)
        }}
      />
    </section>
  )
}

/** Moves the focus, once it is there, to a cover, or to the gallery's heading when there is none. */
function useFocusNext() {
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    const element = target && document.getElementById(target)
    if (!element) return
    element.focus()
    setTarget(undefined)
  })
  return (cover: CoverOut | undefined) => setTarget(cover ? viewButtonId(cover.id) : TITLE)
}
