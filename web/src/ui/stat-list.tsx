import { useTranslation } from 'react-i18next'
import type { SiteStats } from '@/api/generated'
import { cn } from './cn'

/** The landing page's figures. What an administrator has not entered is not shown: no number here is made up. */
export function StatList({ figures, className }: { figures: SiteStats; className?: string }) {
  const { t } = useTranslation()
  const known = (['authors', 'covers', 'rating'] as const).filter((name) => figures[name])
  if (known.length === 0) return null
  return (
    <dl aria-label={t('landing.stats.label')} className={cn('flex flex-wrap gap-x-10 gap-y-4', className)}>
      {known.map((name) => (
        <div key={name} className="flex min-w-0 flex-col-reverse justify-end">
          <dt className="text-note text-ink-2">{t(`landing.stats.${name}`)}</dt>
          <dd className="display text-2xl wrap-anywhere tabular-nums">
            <bdi>{figures[name]}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
