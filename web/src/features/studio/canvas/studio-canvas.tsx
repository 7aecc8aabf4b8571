import { BookOpenText } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverLettering, Lettering } from '@/api/generated'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { viewOf } from '@/ui/cover/artwork-view'
import { LetteredPicture } from '@/ui/cover/lettered-picture'
import { SegmentedControl } from '@/ui/form/radio-group'
import { Tooltip } from '@/ui/overlay/tooltip'
import type { useOutlines } from '../hooks/use-outlines'
import { BlockBoxes } from './block-boxes'

const SIZES = ['fit', 'full', 'double', 'shop', 'list'] as const
type Size = (typeof SIZES)[number]

/** Widths in pixels: a shop's page of results, and a list on a phone. */
const THUMBNAILS: Partial<Record<Size, number>> = { shop: 160, list: 100 }
const TIMES: Partial<Record<Size, number>> = { full: 1, double: 2 }

type Props = {
  shown: CoverLettering
  lettering: Lettering | null
  outlines: ReturnType<typeof useOutlines>
  selected: number | undefined
  onSelect: (index: number | undefined) => void
  onChange: (lettering: Lettering, field: string) => void
}

/** The cover as it will be, on a neutral table: whole, in its own pixels, as small as in a shop, or grey. */
export function StudioCanvas({
  shown: { cover, artworkUrl },
  lettering,
  outlines,
  selected,
  onSelect,
  onChange,
}: Props) {
  const { t } = useTranslation()
  const [size, setSize] = useState<Size>('fit')
  const [grey, setGrey] = useState(false)
  const times = TIMES[size]
  const thumbnail = THUMBNAILS[size]
  const own = lettering !== null
  const form = times ? 'original' : thumbnail ? '320' : '960'
  const address = own ? artworkUrl.replace('size=960', `size=${form}`) : times ? cover.imageUrl : cover.previewUrl
  const width = times
    ? `${cover.width * times}px`
    : thumbnail
      ? `${thumbnail}px`
      : `min(100cqw, 100cqh * ${cover.width / cover.height})`
  return (
    <div>
      <div
        // scrolled from the middle of the picture in every direction of reading
        dir="ltr"
        className={cn(
          '@container-size grid h-[min(30dvh,30rem)] rounded-lg bg-sunken lg:h-[calc(100dvh-15rem)] lg:max-h-[56rem]',
          times ? 'overflow-auto overscroll-contain p-4' : 'place-items-center p-3 lg:p-6',
        )}
        {...(times && { tabIndex: 0, role: 'region', 'aria-label': t('studio.view.pane') })}
      >
        <div style={{ width }} className={cn(grey && 'grayscale')}>
          <LetteredPicture
            artworkUrl={address}
            svg={own ? outlines.data?.svg : undefined}
            soft={outlines.data?.soft}
            view={viewOf(lettering)}
            width={cover.width}
            height={cover.height}
            alt={t('studio.preview', { title: cover.title || t('gallery.untitled') })}
          >
            {lettering && !thumbnail && (
              <BlockBoxes
                lettering={lettering}
                inks={outlines.data?.blocks ?? []}
                selected={selected}
                onSelect={onSelect}
                onChange={onChange}
              />
            )}
          </LetteredPicture>
        </div>
      </div>
      <div className="mt-2 flex flex-wrap items-center justify-center gap-2">
        <SegmentedControl
          legend={t('studio.view.legend')}
          hideLegend
          name="studio-view"
          value={size}
          options={SIZES.map((value) => ({ value, label: t(`studio.view.${value}`) }))}
          onChange={setSize}
        />
        <Tooltip text={t('studio.view.grey')}>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('studio.view.grey')}
            aria-pressed={grey}
            className={cn(grey && 'bg-ink text-bg hover:bg-ink hover:text-bg')}
            onClick={() => setGrey(!grey)}
          >
            <BookOpenText />
          </Button>
        </Tooltip>
      </div>
      {outlines.isError && (
        <p role="alert" className="mt-3 flex items-center justify-center gap-3 text-note text-danger">
          {t('studio.previewFailed')}
          <Button variant="outline" size="sm" onClick={() => void outlines.refetch()}>
            {t('errors.retry')}
          </Button>
        </p>
      )}
    </div>
  )
}
