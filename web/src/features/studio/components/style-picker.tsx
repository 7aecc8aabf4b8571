import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CoverLettering, Lettering } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import { previewsQuery, stylesQuery } from '../api/queries'
import { withTextsOf } from '../model/lettering'
import { LetteredPicture } from './lettered-picture'

/** So long typing rests before the styles show the new words, in milliseconds. */
const PAUSE = 1_000

type Props = {
  shown: CoverLettering
  lettering: Lettering
  onChange: (lettering: Lettering, field: string) => void
}

/** The styles, each with the words and the picture of this cover. */
export function StylePicker({ shown: { cover, artworkUrl }, lettering, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const settled = useDebouncedValue(lettering, PAUSE)
  const styles = useQuery(stylesQuery(cover.genre))
  const ids = (styles.data ?? []).map(({ id }) => id)
  const previews = useInfiniteQuery({ ...previewsQuery(cover.id, settled, ids), enabled: ids.length > 0 })
  const failed = styles.isError ? styles : previews.isError ? previews : undefined
  const small = artworkUrl.replace('size=960', 'size=320')
  return (
    <section aria-labelledby="studio-styles">
      <h2 id="studio-styles" className="font-medium">
        {t('studio.style.title')}
      </h2>
      <p className="mt-1 mb-4 text-note text-ink-3">{t('studio.style.lead')}</p>
      {failed ? (
        <QueryError title={t('studio.style.failed')} query={failed} />
      ) : (
        <ul className="grid grid-cols-4 gap-3">
          {previews.data?.pages.flat().map((preview, index) => (
            <li key={preview.style}>
              <button
                type="button"
                aria-label={t('studio.style.number', { formatted: format.number(index + 1) })}
                aria-pressed={lettering.style === preview.style}
                className={cn(
                  'block w-full rounded-sm outline-offset-2',
                  lettering.style === preview.style && 'ring-2 ring-accent ring-offset-2 ring-offset-ground',
                )}
                onClick={() => onChange(withTextsOf(preview.lettering, lettering), 'style')}
              >
                <LetteredPicture
                  artworkUrl={small}
                  svg={preview.svg}
                  width={cover.width}
                  height={cover.height}
                  alt=""
                />
              </button>
            </li>
          )) ??
            Array.from({ length: 8 }, (_, index) => (
              <li key={index} style={{ aspectRatio: `${cover.width} / ${cover.height}` }}>
                <Skeleton className="size-full" />
              </li>
            ))}
        </ul>
      )}
      {previews.hasNextPage && (
        <Button
          variant="outline"
          className="mt-4 w-full"
          pending={previews.isFetchingNextPage}
          onClick={() => void previews.fetchNextPage()}
        >
          {t('studio.style.more')}
        </Button>
      )}
    </section>
  )
}
