import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { BookMinus, Ellipsis, Info } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/ui/overlay/menu'
import { Tooltip } from '@/ui/overlay/tooltip'
import { QueryBoundary } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { EmptyState, Skeleton } from '@/ui/states'
import { useRemoveFromTheme } from '../api/mutations'
import { flattenPages, themeCoverPagesQuery } from '../api/queries'

const TITLE = 'theme-covers-title'
const grid = 'grid grid-cols-2 gap-x-5 gap-y-9 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5'
const SIZES = '(min-width: 80rem) 16rem, (min-width: 64rem) 22vw, (min-width: 40rem) 30vw, 44vw'
const places = ['a', 'b', 'c', 'd', 'e']

type Props = {
  theme: ThemeOut
  /** Says how a cover was made. */
  onDetails: (coverId: number) => void
}

/** The covers of a theme, side by side. */
export function ThemeCovers({ theme, onDetails }: Props) {
  const { t } = useTranslation()
  const [leaving, setLeaving] = useState<CoverOut>()
  const heading = useRef<HTMLHeadingElement>(null)
  const take = useRemoveFromTheme()
  return (
    <section aria-labelledby={TITLE} className="mx-auto max-w-page px-4 py-12 md:px-8 lg:py-16">
      <h2 ref={heading} id={TITLE} tabIndex={-1} className="display mb-8 text-subsection-title outline-none">
        {t('themes.detail.covers')}
      </h2>
      <QueryBoundary
        skeleton={<TileSkeletons />}
        error={(query) => <QueryError title={t('themes.detail.coversLoadFailed')} query={query} />}
      >
        <Tiles theme={theme} onTake={setLeaving} onDetails={onDetails} />
      </QueryBoundary>
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={(open) => !open && !take.isPending && setLeaving(undefined)}
        title={t('themes.detail.removeTitle')}
        description={t('themes.detail.removeBody', { title: leaving?.title || t('themes.detail.untitled') })}
        confirm={t('themes.detail.removeConfirm')}
        pending={take.isPending}
        onConfirm={() => {
          if (!leaving) return
          take.mutate(leaving.id, {
            onSuccess: () => heading.current?.focus({ preventScroll: true }),
            onSettled: () => setLeaving(undefined),
          })
        }}
      />
    </section>
  )
}

function TileSkeletons() {
  const { t } = useTranslation()
  return (
    <div role="status" className={cn(grid, 'animate-in fill-mode-both fade-in-0 delay-300')}>
      <span className="sr-only">{t('common.loading')}</span>
      {places.map((place) => (
        <Skeleton key={place} className="aspect-2/3 rounded-cover" />
      ))}
    </div>
  )
}

function Tiles({ theme, onTake, onDetails }: Props & { onTake: (cover: CoverOut) => void }) {
  const { t } = useTranslation()
  const pages = useSuspenseInfiniteQuery(themeCoverPagesQuery(theme.id))
  const covers = flattenPages(pages.data)
  if (covers.length === 0) {
    return <EmptyState title={t('themes.detail.coversNone')} body={t('themes.detail.coversNoneBody')} />
  }
  return (
    <>
      <ul className={grid}>
        {covers.map((cover) => (
          <Tile key={cover.id} cover={cover} onTake={onTake} onDetails={onDetails} />
        ))}
      </ul>
      {pages.hasNextPage && (
        <div className="mt-12 grid justify-items-center gap-3">
          {pages.isFetchNextPageError && (
            <p role="alert" className="text-sm text-danger">
              {errorMessage(pages.error)}
            </p>
          )}
          <Button variant="outline" pending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t(pages.isFetchNextPageError ? 'errors.retry' : 'themes.more')}
          </Button>
        </div>
      )}
    </>
  )
}

type TileProps = Pick<Props, 'onDetails'> & { cover: CoverOut; onTake: (cover: CoverOut) => void }

function Tile({ cover, onTake, onDetails }: TileProps) {
  const { t } = useTranslation()
  const { label } = useFormat()
  const name = cover.title || t('themes.detail.untitled')
  const known = !Number.isNaN(Date.parse(cover.createdAt))
  const wide = cover.width / cover.height > 2 / 3
  return (
    <li data-cover={cover.id} className="group min-w-0 animate-fade-up">
      <div className="relative flex aspect-2/3 items-end justify-center">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => onDetails(cover.id)}
          className="flex size-full items-end justify-center rounded-cover"
        >
          <CoverThumbnail
            cover={cover}
            sizes={SIZES}
            alt={name}
            className="transition-transform duration-300 ease-out-soft group-hover:-translate-y-1"
            style={wide ? { width: '100%' } : { height: '100%' }}
          />
        </button>
        <div className="absolute inset-e-2 top-2 opacity-0 transition-opacity duration-150 group-hover:opacity-100 has-focus-visible:opacity-100 [@media(hover:none)]:hidden">
          <Tooltip text={t('themes.detail.remove')}>
            <Button
              variant="outline"
              size="icon"
              className="border-transparent bg-raised shadow-2"
              aria-label={t('themes.detail.removeNamed', { title: name })}
              onClick={() => onTake(cover)}
            >
              <BookMinus />
            </Button>
          </Tooltip>
        </div>
      </div>
      <div className="mt-3.5 flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <p className={cn('truncate text-sm font-medium', !cover.title && 'text-ink-2 italic')}>
            <bdi>{name}</bdi>
          </p>
          <p className="mt-0.5 text-note text-ink-2">
            {known ? <time dateTime={cover.createdAt}>{label(cover.createdAt)}</time> : t('themes.detail.recently')}
          </p>
        </div>
        <Menu modal={false}>
          <MenuTrigger asChild>
            <Button
              variant="ghost"
              size="icon"
              className="-me-2.5 size-11 [@media(hover:hover)]:hidden"
              aria-label={t('themes.detail.actions', { title: name })}
            >
              <Ellipsis />
            </Button>
          </MenuTrigger>
          <MenuContent>
            <MenuItem onSelect={() => onDetails(cover.id)}>
              <Info aria-hidden />
              {t('themes.detail.details')}
            </MenuItem>
            <MenuItem onSelect={() => onTake(cover)}>
              <BookMinus aria-hidden />
              {t('themes.detail.remove')}
            </MenuItem>
          </MenuContent>
        </Menu>
      </div>
    </li>
  )
}
