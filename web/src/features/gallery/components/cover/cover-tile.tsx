import { Star } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { cn } from '@/ui/cn'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { Skeleton } from '@/ui/states'
import { useCoverName } from '../../hooks/use-cover-name'
import { useLongPress } from '../../hooks/use-long-press'
import type { Selection } from '../../hooks/use-selection'
import { CoverBar, type CoverHandlers, CoverMenu } from './cover-actions'
import { ThemeMark } from './theme-mark'

/** The columns of the gallery: one, two, three and four. */
export const GALLERY_GRID = 'grid grid-cols-1 gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4'
/** The same, small and close: three on a phone. */
export const DENSE_GRID = 'grid grid-cols-3 gap-x-3 gap-y-4 sm:grid-cols-4 lg:grid-cols-6 xl:grid-cols-8'
const SIZES = '(min-width: 80rem) 20rem, (min-width: 64rem) 30vw, (min-width: 40rem) 46vw, 92vw'

/** The proportion of the ground every cover stands on. */
const GROUND = 2 / 3
/** A proportion this near to the ground's fills it: the difference would only be a seam. */
const SEAM = 0.005

/** How much of the ground's width a cover takes that fills it in one direction, in per cent. */
const widthOnGround = (proportion: number) => Math.min(1, proportion / GROUND) * 100

export const viewButtonId = (id: number) => `cover-${id}`

/** A cover on its ground, in its own proportion. */
export function CoverOnGround({ cover, className }: { cover: CoverOut; className?: string }) {
  const { alt } = useCoverName(cover)
  const proportion = cover.width / cover.height
  const fills = Math.abs(proportion - GROUND) < SEAM
  return (
    <span className={cn('grid aspect-2/3 w-full place-items-center', !fills && 'bg-sunken p-[7%]', className)}>
      <CoverThumbnail
        cover={cover}
        sizes={SIZES}
        alt={alt}
        style={{ width: fills ? '100%' : `${widthOnGround(proportion)}%` }}
      />
    </span>
  )
}

type TileProps = {
  cover: CoverOut
  themes: readonly ThemeOut[]
  selection: Selection
  /** Whether the Tab key comes here; the arrow keys go on from here. */
  current: boolean
  /** Shows the picture and its title alone; all else is in the large view. */
  dense: boolean
  onCurrent: (id: number) => void
} & CoverHandlers

/** One cover of the gallery with its title, its author, its date and its theme. */
export function CoverTile({ cover, themes, selection, current, dense, onCurrent, ...handlers }: TileProps) {
  const { t } = useTranslation()
  const { label } = useFormat()
  const { name } = useCoverName(cover)
  const tabIndex = current ? 0 : -1
  const chosen = selection.has(cover.id)
  const press = useLongPress(() => selection.toggle(cover.id))

  function click(event: MouseEvent) {
    if (selection.on || event.shiftKey) selection.toggle(cover.id, event.shiftKey)
    else handlers.onView(cover)
  }

  return (
    <li data-cover={cover.id} className="group min-w-0 animate-fade-up" onFocus={() => onCurrent(cover.id)}>
      <div className="relative transition-transform duration-300 ease-out-soft group-hover:-translate-y-1">
        <button
          type="button"
          id={viewButtonId(cover.id)}
          tabIndex={tabIndex}
          aria-haspopup={selection.on ? undefined : 'dialog'}
          aria-pressed={selection.on ? chosen : undefined}
          {...press}
          onClick={click}
          className={cn(
            'block w-full rounded-cover select-none [-webkit-touch-callout:none]',
            chosen && 'outline-3 outline-offset-3 outline-accent',
          )}
        >
          <CoverOnGround cover={cover} className="rounded-cover" />
        </button>
        <label
          className={cn(
            'absolute inset-s-0 top-0 grid size-11 cursor-pointer place-items-center transition-opacity duration-150 group-hover:opacity-100 has-focus-visible:opacity-100 group-has-focus-visible:opacity-100',
            selection.on ? 'opacity-100' : 'opacity-0 [@media(hover:none)]:hidden',
          )}
        >
          <input
            type="checkbox"
            tabIndex={tabIndex}
            checked={chosen}
            aria-label={t('gallery.select.named', { title: name })}
            onChange={({ nativeEvent }) =>
              selection.toggle(cover.id, nativeEvent instanceof window.MouseEvent && nativeEvent.shiftKey)
            }
            className="size-5 cursor-pointer rounded-sm accent-accent shadow-2"
          />
        </label>
        {!selection.on && !dense && (
          <CoverBar cover={cover} tabIndex={tabIndex} onStar={handlers.onStar} onDelete={handlers.onDelete} />
        )}
      </div>
      {dense ? (
        <p className="mt-1.5 truncate text-xs text-ink-2">
          <bdi>{name}</bdi>
        </p>
      ) : (
        <div className="mt-4 flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <p className={cn('flex items-center gap-1.5 text-sm font-medium', !cover.title && 'text-ink-2 italic')}>
              <bdi className="truncate">{name}</bdi>
              {cover.starred && (
                <Star
                  role="img"
                  aria-label={t('gallery.starred')}
                  className="size-3.5 shrink-0 fill-accent text-accent"
                />
              )}
            </p>
            <p className="mt-0.5 flex gap-1 text-note text-ink-2">
              {cover.author && (
                <>
                  <bdi className="truncate">{cover.author}</bdi>
                  <span aria-hidden>·</span>
                </>
              )}
              <time dateTime={cover.createdAt} className="shrink-0">
                {label(cover.createdAt)}
              </time>
            </p>
            <div className="mt-1.5 flex">
              <ThemeMark cover={cover} themes={themes} onTheme={handlers.onTheme} tabIndex={tabIndex} />
            </div>
          </div>
          {!selection.on && <CoverMenu cover={cover} tabIndex={tabIndex} {...handlers} />}
        </div>
      )}
    </li>
  )
}

const SKELETONS = 8
const places = Array.from({ length: SKELETONS }, (_, place) => place)

/** The gallery's shape while its covers are on their way; it shows itself only when they take their time. */
export function CoverTileSkeletons() {
  const { t } = useTranslation()
  return (
    <div role="status">
      <span className="sr-only">{t('common.loading')}</span>
      <div data-skeletons className={cn(GALLERY_GRID, 'animate-in fill-mode-both fade-in-0 delay-300')}>
        {places.map((place) => (
          <div key={place}>
            <Skeleton className="aspect-2/3 rounded-cover" />
            <Skeleton className="mt-4 h-4 w-3/5" />
            <Skeleton className="mt-2 h-3.5 w-2/5" />
            <Skeleton className="mt-3 h-3.5 w-1/3" />
          </div>
        ))}
      </div>
    </div>
  )
}
