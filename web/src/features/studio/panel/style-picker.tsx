import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverLettering, Lettering } from '@/api/generated'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { useStyleName } from '@/lib/hooks/use-style-name'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { viewOf } from '@/ui/cover/artwork-view'
import { LetteredPicture } from '@/ui/cover/lettered-picture'
import { Field, Select } from '@/ui/form/field'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import { previewsQuery, stylesQuery } from '../api/queries'
import { withTextsOf } from '../model/lettering'
import { FAMILIES, familyOf } from '../model/styles'

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
  const settled = useDebouncedValue(lettering, PAUSE)
  const styles = useQuery(stylesQuery(cover.genre))
  const [family, setFamily] = useState('')
  const known = styles.data ?? []
  const ids = known.filter((style) => !family || familyOf(style) === family).map(({ id }) => id)
  const name = useStyleName()
  const previews = useInfiniteQuery({ ...previewsQuery(cover.id, settled, ids), enabled: ids.length > 0 })
  const failed = styles.isError ? styles : previews.isError ? previews : undefined
  const small = artworkUrl.replace('size=960', 'size=320')
  return (
    <section aria-labelledby="studio-styles">
      <h2 id="studio-styles" className="font-medium">
        {t('studio.style.title')}
      </h2>
      <p className="mt-1 mb-4 text-note text-ink-3">{t('studio.style.lead')}</p>
      <Field label={t('studio.style.filter')} className="mb-4">
        {(aria) => (
          <Select {...aria} value={family} onChange={({ target }) => setFamily(target.value)}>
            <option value="">{t('studio.style.suited')}</option>
            {FAMILIES.map((value) => (
              <option key={value} value={value}>
                {t(`studio.family.${value}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {failed ? (
        <QueryError title={t('studio.style.failed')} query={failed} />
      ) : (
        <ul className="grid grid-cols-3 gap-x-3 gap-y-4">
          {previews.data?.pages.flat().map((preview) => (
            <li key={preview.style}>
              <button
                type="button"
                aria-pressed={lettering.style === preview.style}
                className={cn(
                  'block w-full rounded-sm p-1 outline-offset-2 hover:bg-sunken',
                  lettering.style === preview.style && 'bg-sunken ring-2 ring-accent',
                )}
                onClick={() => onChange(withTextsOf(preview.lettering, lettering), 'style')}
              >
                <LetteredPicture
                  artworkUrl={small}
                  svg={preview.svg}
                  width={cover.width}
                  height={cover.height}
                  alt=""
                  soft={preview.soft}
                  view={viewOf(lettering)}
                />
                <span className="mt-1.5 block text-center text-xs leading-tight text-ink-2">{name(preview.style)}</span>
              </button>
            </li>
          )) ??
            Array.from({ length: 6 }, (_, index) => (
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
