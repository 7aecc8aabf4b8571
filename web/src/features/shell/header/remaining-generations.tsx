import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { coversLeft } from '@/api/covers-left'
import type { UserOut } from '@/api/generated'
import { planLimitsQuery } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Tooltip } from '@/ui/overlay/tooltip'

export function RemainingGenerations({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: limits } = useQuery(planLimitsQuery())
  if (!limits) return null
  const left = coversLeft(user, limits)
  const values = { count: left, formatted: format.number(left) }
  return (
    <Tooltip text={t('nav.remainingHint')}>
      <span className="truncate rounded-full max-sm:max-w-28 bg-sunken px-3 py-1.5 text-note text-ink-2 tabular-nums">
        {left === Number.POSITIVE_INFINITY ? (
          t('nav.unlimited')
        ) : (
          <>
            <span className="max-lg:hidden">{t('nav.remaining', values)}</span>
            <span className="lg:hidden">{t('nav.remainingShort', values)}</span>
          </>
        )}
      </span>
    </Tooltip>
  )
}
