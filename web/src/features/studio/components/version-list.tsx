import { useTranslation } from 'react-i18next'
import type { LetteringVersion } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'

type Props = {
  versions: readonly LetteringVersion[]
  shown: number
  /** The version that is being restored. */
  restoring: number | undefined
  onRestore: (number: number) => void
}

/** What stood on the cover before, newest first. */
export function VersionList({ versions, shown, restoring, onRestore }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (versions.length < 2) return <p className="text-sm text-ink-2">{t('studio.versions.none')}</p>
  return (
    <section aria-labelledby="studio-versions">
      <h2 id="studio-versions" className="font-medium">
        {t('studio.versions.title')}
      </h2>
      <ul className="mt-3 divide-y divide-line rounded-md border border-line">
        {versions.map(({ number, createdAt, isPartOfPicture }, index) => {
          // saves that made room for later ones have left gaps in the numbers
          const name = t('studio.versions.number', { formatted: format.number(versions.length - index) })
          return (
            <li key={number} className="flex min-h-14 items-center justify-between gap-3 px-3 py-2 text-sm">
              <span>
                {name}
                <span className="block text-xs text-ink-3">
                  <time dateTime={createdAt}>{format.time(createdAt)}</time>
                  {isPartOfPicture && ` · ${t('studio.versions.bare')}`}
                </span>
              </span>
              {number === shown ? (
                <span className="text-xs text-ink-3">{t('studio.versions.shown')}</span>
              ) : (
                <Button
                  variant="outline"
                  size="sm"
                  pending={restoring === number}
                  disabled={restoring !== undefined}
                  aria-label={`${t('studio.versions.restore')}: ${name}`}
                  onClick={() => onRestore(number)}
                >
                  {t('studio.versions.restore')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
