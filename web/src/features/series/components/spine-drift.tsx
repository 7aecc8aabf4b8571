import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SpineDrift as Drift, ShelfVolume } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { shelfDriftQuery } from '../api/queries'

/** In what the spines of a series differ, once there are two of them. */
export function SpineDrift({ themeId, volumes }: { themeId: number; volumes: readonly ShelfVolume[] }) {
  const { t } = useTranslation()
  const words = useWords()
  const printed = volumes.filter(({ spine }) => spine)
  const { data, isError } = useQuery({
    ...shelfDriftQuery(themeId, printed.map(({ spine }) => spine?.url).join(' ')),
    enabled: printed.length > 1,
  })
  const titleOf = (bookId: number | null) =>
    volumes.find((volume) => volume.bookId === bookId)?.cover.title || t('themes.detail.untitled')
  if (isError) {
    return (
      <p role="status" className="mt-3 text-sm text-ink-2">
        {t('series.shelf.drift.failed')}
      </p>
    )
  }
  if (!data || data.compared < 2) return null
  if (data.spines.length === 0) {
    return (
      <p className="mt-3 flex items-center gap-2 text-sm text-ink-2">
        <Check aria-hidden className="size-4 text-ok" />
        {t('series.shelf.drift.alike')}
      </p>
    )
  }
  return (
    <section aria-labelledby="spine-drift" className="mt-4">
      <h4 id="spine-drift" className="text-sm font-medium">
        {t('series.shelf.drift.title', { title: titleOf(data.leadBookId) })}
      </h4>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {data.spines.map(({ bookId, drifts }) => (
          <li key={bookId} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5 text-sm">
            <Link
              to="/book/$id"
              params={{ id: String(bookId) }}
              className="min-w-0 basis-40 font-medium break-words underline underline-offset-4"
            >
              <bdi>{titleOf(bookId)}</bdi>
            </Link>
            <ul className="flex flex-wrap gap-x-4 text-ink-2">
              {drifts.map((drift) => (
                <li key={drift.kind}>{words(drift)}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns a function that says one difference. */
function useWords(): (drift: Drift) => string {
  const { t } = useTranslation()
  const { decimal } = useFormat()
  return ({ kind, by }) => {
    const inches = decimal(Math.abs(by ?? 0))
    if (kind === 'height') return t(`series.shelf.drift.${(by ?? 0) > 0 ? 'taller' : 'shorter'}`, { inches })
    if (kind === 'author_place') return t(`series.shelf.drift.${(by ?? 0) > 0 ? 'later' : 'earlier'}`, { inches })
    return t(`series.shelf.drift.${kind}`)
  }
}
