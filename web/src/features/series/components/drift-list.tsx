import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { VolumeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { useDriftWords } from '../hooks/use-drift-words'

type Props = { volumes: readonly VolumeOut[]; busy: boolean; onApply: (coverId: number) => void }

/** Which covers have left the look of their series, in what, and a button that brings each of them back. */
export function DriftList({ volumes, busy, onApply }: Props) {
  const { t } = useTranslation()
  const drifting = volumes.filter(({ state }) => state !== 'same')
  return (
    <section aria-labelledby="series-drift">
      <h3 id="series-drift" className="font-medium">
        {t('series.drift.title')}
      </h3>
      {drifting.length === 0 ? (
        <p className="mt-2 flex items-center gap-2 text-sm text-ink-2">
          <Check aria-hidden className="size-4 text-ok" />
          {t('series.drift.none')}
        </p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {drifting.map((volume) => (
            <Row key={volume.cover.id} volume={volume} busy={busy} onApply={() => onApply(volume.cover.id)} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ volume, busy, onApply }: { volume: VolumeOut; busy: boolean; onApply: () => void }) {
  const { t } = useTranslation()
  const words = useDriftWords()
  const { cover, state, drifts } = volume
  const title = cover.title || t('themes.detail.untitled')
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-3">
      <CoverThumbnail cover={cover} className="w-10 shrink-0" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium break-words">
          <bdi>{title}</bdi>
        </p>
        {state === 'drifts' ? (
          <ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-2">
            {drifts.map((drift) => (
              <li key={`${drift.role} ${drift.kind}`}>{words(drift)}</li>
            ))}
          </ul>
        ) : (
          <p className="mt-1 text-sm text-ink-2">{t(state === 'bare' ? 'series.drift.bare' : 'series.drift.drawn')}</p>
        )}
      </div>
      {state === 'drawn' ? (
        <Button asChild variant="outline" size="sm">
          <Link
            to="/cover/$id/edit"
            params={{ id: String(cover.id) }}
            aria-label={t('series.drift.editNamed', { title })}
          >
            {t('series.drift.edit')}
          </Link>
        </Button>
      ) : (
        <Button
          variant="outline"
          size="sm"
          disabled={busy}
          aria-label={t('series.drift.applyNamed', { title })}
          onClick={onApply}
        >
          {t('series.drift.apply')}
        </Button>
      )}
    </li>
  )
}
