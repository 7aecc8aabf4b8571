import { useTranslation } from 'react-i18next'
import type { Drift } from '@/api/generated'
import { useFormat } from '@/i18n/format'

/** Returns a function that says in what a line of a cover leaves the look of its series. */
export function useDriftWords(): (drift: Drift) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ role, kind, size, lookSize }) => {
    const line = t(`studio.role.${role}`)
    if (kind !== 'size' || !size || !lookSize) return t(`series.drift.${kind}`, { line })
    const percent = format.percent(Math.abs(size / lookSize - 1))
    return t(size > lookSize ? 'series.drift.larger' : 'series.drift.smaller', { line, percent })
  }
}
