import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CoverLettering, Lettering } from '@/api/generated'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { Button } from '@/ui/button'
import { outlinesQuery } from '../api/queries'
import { LetteredPicture } from './lettered-picture'

/** So long typing rests before outlines are asked for, in milliseconds. */
const PAUSE = 60

type Props = { shown: CoverLettering; lettering: Lettering | null }

/** The cover as it will be. */
export function StudioPreview({ shown: { cover, artworkUrl }, lettering }: Props) {
  const { t } = useTranslation()
  const settled = useDebouncedValue(lettering, PAUSE)
  const outlines = useQuery({
    ...outlinesQuery(settled ?? { blocks: [] }, cover.width, cover.height),
    enabled: settled !== null,
  })
  return (
    <div className="@container-size grid h-[min(52dvh,30rem)] place-items-center rounded-lg bg-sunken p-[4%] lg:h-[min(76dvh,52rem)]">
      <div style={{ width: `min(100cqw, 100cqh * ${cover.width / cover.height})` }}>
        <LetteredPicture
          artworkUrl={lettering === null ? cover.previewUrl : artworkUrl}
          svg={lettering === null ? undefined : outlines.data}
          width={cover.width}
          height={cover.height}
          alt={t('studio.preview', { title: cover.title || t('gallery.untitled') })}
        />
        {outlines.isError && (
          <p role="alert" className="mt-3 flex items-center justify-center gap-3 text-note text-danger">
            {t('studio.previewFailed')}
            <Button variant="outline" size="sm" onClick={() => void outlines.refetch()}>
              {t('errors.retry')}
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}
