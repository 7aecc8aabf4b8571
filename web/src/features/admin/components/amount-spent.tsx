import { useTranslation } from 'react-i18next'
import type { BudgetsOut, InstanceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { isCostUnknown } from '../prices'

type Spent = BudgetsOut['spent']

/** What an instance has spent this month, and how many of its calls have an unknown cost. */
export function AmountSpent({ spent, instance }: { spent: Spent; instance: InstanceOut }) {
  // one that is not listed was not called
  const { monthMicros = 0, unknownCalls = 0 } =
    spent.instances.find(({ instanceId }) => instanceId === instance.id) ?? {}
  return <Amount micros={monthMicros} unknownCalls={unknownCalls} isUnknown={isCostUnknown(instance)} />
}

/** The same of the whole site. */
export function SiteSpent({ spent }: { spent: Spent }) {
  const unknownCalls = spent.instances.reduce((total, instance) => total + instance.unknownCalls, 0)
  return <Amount micros={spent.siteMonthMicros} unknownCalls={unknownCalls} isUnknown={false} />
}

function Amount({ micros, unknownCalls, isUnknown }: { micros: number; unknownCalls: number; isUnknown: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const amount = micros === 0 && (isUnknown || unknownCalls > 0) ? t('admin.unknown') : format.micros(micros)
  return (
    <>
      <span className="block">{t('admin.budgets.spent', { amount })}</span>
      {unknownCalls > 0 && (
        <span className="block">
          {t('admin.health.unknownCalls', { count: unknownCalls, formatted: format.number(unknownCalls) })}
        </span>
      )}
    </>
  )
}
