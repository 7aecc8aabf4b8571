import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ShelfVolume } from '@/api/generated'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { shelfQuery } from '../api/queries'
import { SpineDrift } from './spine-drift'

/** Height of what stands on the shelf, in rem. */
const HIGH = 13

/** The volumes of a series side by side: each with its front, and with the spine of its book where there is one. */
export function Shelf({ themeId }: { themeId: number }) {
  const { t } = useTranslation()
  const { data: volumes } = useSuspenseQuery(shelfQuery(themeId))
  return (
    <section aria-labelledby="series-shelf">
      <h3 id="series-shelf" className="mb-3 font-medium">
        {t('series.shelf.title')}
      </h3>
      <ol className="relative -mx-1.5 flex gap-5 overflow-x-auto border-b-4 border-line-strong px-1.5 pt-2 pb-1">
        {volumes.map((volume) => (
          <Volume key={volume.cover.id} volume={volume} />
        ))}
      </ol>
      <SpineDrift themeId={themeId} volumes={volumes} />
    </section>
  )
}

function Volume({ volume: { cover, number, bookId, spine } }: { volume: ShelfVolume }) {
  const { t } = useTranslation()
  const title = cover.title || t('themes.detail.untitled')
  const width = Math.round(((HIGH * cover.width) / cover.height) * 100) / 100
  return (
    <li className="flex shrink-0 flex-col">
      <p className="mb-1.5 flex min-h-5 max-w-40 gap-1.5 text-note">
        {number && <bdi className="shrink-0 text-ink-2 tabular-nums">{number}</bdi>}
        <bdi className="truncate text-ink-3">{title}</bdi>
      </p>
      <div className="mt-auto flex items-end gap-1.5">
        {bookId !== null && spine && (
          <Link
            to="/book/$id"
            params={{ id: String(bookId) }}
            aria-label={t('series.shelf.spine', { title })}
            className="block rounded-xs shadow-2"
          >
            <img
              src={spine.url}
              alt=""
              loading="lazy"
              decoding="async"
              className="rounded-xs bg-sunken object-cover"
              style={{ height: `${HIGH}rem`, width: `${Math.max(0.25, (HIGH * spine.width) / spine.height)}rem` }}
            />
          </Link>
        )}
        <Link to="/cover/$id/edit" params={{ id: String(cover.id) }} aria-label={t('series.shelf.front', { title })}>
          <CoverThumbnail cover={cover} style={{ width: `${width}rem` }} />
        </Link>
      </div>
    </li>
  )
}
