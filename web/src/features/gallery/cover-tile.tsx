import { Star } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { cn } from '@/ui/cn'
import { CoverPicture } from '@/ui/cover-picture'
import { Skeleton } from '@/ui/states'
import { CoverBar, type CoverHandlers, CoverMenu } from './cover-actions'
import { useCoverName } from './cover-name'

/** The columns of the gallery: one, two, three and four. */
export const grid = 'grid grid-cols-1 gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4'
const SIZES = '(min-width: 80rem) 20rem, (min-width: 64rem) 30vw, (min-width: 40rem) 46vw, 92vw'

/** The proportion of the ground every cover stands on. */
const GROUND = 2 / 3
/** A proportion this near to the ground's fills it: the difference would only be a seam. */
const SEAM = 0.005

/** How much of the ground's width a cover takes that fills it in one direction, in per cent. */
const widthOnGround = (proportion: number) => Math.min(1, proportion / GROUND) * 100

export const viewButtonId = (id: number) => `cover-${id}`

/** One cover of the gallery with its title, its author and its date. */
export function CoverTile({ cover, ...handlers }: { cover: CoverOut } & CoverHandlers) {
  const { t } = useTranslation()
  const { label } = useFormat()
  const { name, alt } = useCoverName(cover)
  const proportion = cover.width / cover.height
  const fills = Math.abs(proportion - GROUND) < SEAM
  return (
    <li className="group min-w-0 animate-fade-up">
      <div className="relative transition-transform duration-300 ease-out-soft group-hover:-translate-y-1">
        <button
          type="button"
          id={viewButtonId(cover.id)}
          aria-haspopup="dialog"
          onClick={() => handlers.onView(cover)}
          className={cn('grid aspect-2/3 w-full place-items-center rounded-cover', !fills && 'bg-sunken p-[7%]')}
        >
          <CoverPicture
            src={cover.thumbnailUrl}
            srcSet={`${cover.thumbnailUrl} 320w, ${cover.previewUrl} 960w`}
            sizes={SIZES}
            alt={alt}
            width={cover.width}
            height={cover.height}
            tint={cover.tint}
            style={{ width: fills ? '100%' : `${widthOnGround(proportion)}%` }}
          />
        </button>
        <CoverBar cover={cover} onStar={handlers.onStar} onDelete={handlers.onDelete} />
      </div>
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
          <p className="mt-0.5 flex gap-1 text-[0.8125rem] text-ink-2">
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
        </div>
        <CoverMenu cover={cover} {...handlers} />
      </div>
    </li>
  )
}

const SKELETONS = 8
const places = Array.from({ length: SKELETONS }, (_, place) => place)

/** The gallery's shape while its covers are on their way; it shows itself only when they take their time. */
export function TileSkeletons() {
  const { t } = useTranslation()
  return (
    <div role="status">
      <span className="sr-only">{t('common.loading')}</span>
      <div data-skeletons className={cn(grid, 'animate-in fill-mode-both fade-in-0 delay-300')}>
        {places.map((place) => (
          <div key={place}>
            <Skeleton className="aspect-2/3 rounded-cover" />
            <Skeleton className="mt-4 h-4 w-3/5" />
            <Skeleton className="mt-2 h-3.5 w-2/5" />
          </div>
        ))}
      </div>
    </div>
  )
}
