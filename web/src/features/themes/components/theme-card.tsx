import { Link } from '@tanstack/react-router'
import { Trash2, WandSparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ThemeOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Tooltip } from '@/ui/overlay/tooltip'
import { Skeleton } from '@/ui/states'
import { Swatches, ThemePreview } from './theme-preview'

/** The columns of the section. */
export const THEME_GRID = 'grid grid-cols-1 gap-x-6 gap-y-8 sm:grid-cols-2 lg:grid-cols-3'

export const themeLinkId = (id: number) => `theme-${id}`

type Props = { theme: ThemeOut; onUse: (theme: ThemeOut) => void; onDelete: (theme: ThemeOut) => void }

/** A theme: its covers or colors, its name, how often it was used. A click opens its page. */
export function ThemeCard({ theme, onUse, onDelete }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, name, description, coverCount, usageCount } = theme
  return (
    <li className="group relative flex min-w-0 animate-fade-up flex-col overflow-hidden rounded-lg bg-surface shadow-1">
      {/* stacked by itself, so that the link lies over all of it */}
      <div className="relative isolate">
        <ThemePreview theme={theme} />
        {coverCount > 1 && (
          <span className="absolute inset-e-3 top-3 z-10 rounded-full bg-raised px-2.5 py-1 text-xs font-medium tabular-nums shadow-1">
            {t('themes.covers', { count: coverCount, formatted: format.number(coverCount) })}
          </span>
        )}
      </div>
      <div className="flex flex-1 flex-col p-5">
        <div className="flex items-start gap-3">
          <h3 className="display min-w-0 flex-1 text-xl leading-snug">
            <Link
              id={themeLinkId(id)}
              to="/theme/$id"
              params={{ id: String(id) }}
              className="line-clamp-2 rounded-sm after:absolute after:inset-0"
            >
              <bdi>{name}</bdi>
            </Link>
          </h3>
          <span className="mt-1.5">
            <Swatches colors={theme.colors} />
          </span>
        </div>
        <p dir="auto" className="mt-1.5 line-clamp-2 text-sm leading-relaxed text-ink-2">
          {description || t('themes.custom')}
        </p>
        <p className="mt-2 text-note text-ink-3 tabular-nums">
          {t('themes.used', { count: usageCount, formatted: format.number(usageCount) })}
        </p>
        <div className="relative z-10 mt-auto flex items-center gap-2 pt-4">
          <Button
            variant="outline"
            className="flex-1"
            aria-label={t('themes.useNamed', { name })}
            onClick={() => onUse(theme)}
          >
            <WandSparkles aria-hidden />
            {t('themes.use')}
          </Button>
          <Tooltip text={t('themes.delete')}>
            <Button
              variant="ghost"
              size="icon"
              className="hover:text-danger"
              aria-label={t('themes.deleteNamed', { name })}
              onClick={() => onDelete(theme)}
            >
              <Trash2 />
            </Button>
          </Tooltip>
        </div>
      </div>
    </li>
  )
}

const SKELETONS = 3
const places = Array.from({ length: SKELETONS }, (_, place) => place)

/** The section's shape while its themes are on their way; it shows itself only when they take their time. */
export function ThemeCardSkeletons() {
  const { t } = useTranslation()
  return (
    <div role="status">
      <span className="sr-only">{t('common.loading')}</span>
      <div data-skeletons className={`${THEME_GRID} animate-in fill-mode-both fade-in-0 delay-300`}>
        {places.map((place) => (
          <div key={place} className="overflow-hidden rounded-lg bg-surface shadow-1">
            <Skeleton className="aspect-[8/5] rounded-none" />
            <div className="p-5">
              <Skeleton className="h-5 w-2/5" />
              <Skeleton className="mt-3 h-3.5 w-4/5" />
              <Skeleton className="mt-2 h-3.5 w-1/4" />
              <Skeleton className="mt-5 h-10 w-full" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
