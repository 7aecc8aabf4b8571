import { useTranslation } from 'react-i18next'
import type { BudgetsOut, InstanceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { isCostUnknown } from '../prices'

/** What an instance has spent this month, and how many of its calls have an unknown cost. */
export function AmountSpent({ spent, instance }: { spent: BudgetsOut['spent']; instance: InstanceOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  // one that is not listed was not called
  const { monthMicros = 0, unknownCalls = 0 } =
    spent.instances.find(({ instanceId }) => instanceId === instance.id) ?? {}
  const isUnknown = monthMicros === 0 && (unknownCalls > 0 || isCostUnknown(instance))
  return (
    <>
      <span className="block">
        {t('admin.budgets.spent', { amount: isUnknown ? t('admin.unknown') : format.micros(monthMicros) })}
      </span>
      {unknownCalls > 0 && (
        <span className="block">
          {t('admin.health.unknownCalls', { count: unknownCalls, formatted: format.number(unknownCalls) })}
        </span>
      )}
    </>
  )
}
