import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { UsageRow } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Field, Input } from '@/ui/form/field'
import { SegmentedControl } from '@/ui/form/radio-group'
import { EmptyState } from '@/ui/states'
import { Table, Td, Th } from '@/ui/table'
import { usageQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { USAGE_BY } from '../types'
import { BudgetsForm } from './budgets-form'

type UsageFilter = { by?: string; from?: string; to?: string }

const DAY = /^\d{4}-\d{2}-\d{2}$/

const dayOf = (text: string | undefined) => (text && DAY.test(text) ? text : undefined)

type UsageRange = Parameters<typeof usageQuery>

/** What an address asks for: by what, from which day and to which. */
export const usageRange = ({ by, from, to }: UsageFilter): UsageRange => [
  USAGE_BY.find((known) => known === by) ?? 'instance',
  dayOf(from),
  dayOf(to),
]

/** `onFilter` changes what is given of the filter. */
type Props = { filter: UsageFilter; onFilter: (change: UsageFilter) => void }

/** What was used and spent, and how much may be. */
export function UsagePage({ filter, onFilter }: Props) {
  const { t } = useTranslation()
  const range = usageRange(filter)
  // the server chooses the days where none are given
  const chosen = useQuery(usageQuery(...range)).data
  const day = (key: 'from' | 'to') => ({
    value: dayOf(filter[key]) ?? chosen?.[key] ?? '',
    onChange: (event: { target: { value: string } }) => onFilter({ [key]: event.target.value || undefined }),
  })
  return (
    <AdminPage title={t('admin.usage.title')} lead={t('admin.usage.lead')}>
      <div className="mb-6 flex flex-wrap items-start gap-4">
        <SegmentedControl
          legend={t('admin.usage.by.label')}
          name="by"
          value={range[0]}
          options={USAGE_BY.map((value) => ({ value, label: t(`admin.usage.by.${value}`) }))}
          onChange={(value) => onFilter({ by: value })}
        />
        <Field label={t('admin.usage.from')} className="w-40">
          {(aria) => <Input {...aria} type="date" dir="ltr" {...day('from')} />}
        </Field>
        <Field label={t('admin.usage.to')} className="w-40">
          {(aria) => <Input {...aria} type="date" dir="ltr" {...day('to')} />}
        </Field>
      </div>
      <AdminQueryBoundary key={range.join(' ')}>
        <UsageTable range={range} />
      </AdminQueryBoundary>
      <section aria-labelledby="budgets" className="mt-14">
        <h2 id="budgets" className="text-lg font-medium">
          {t('admin.budgets.title')}
        </h2>
        <p className="mt-0.5 mb-4 max-w-text text-note text-ink-2">{t('admin.budgets.lead')}</p>
        <BudgetsForm />
      </section>
    </AdminPage>
  )
}

function UsageTable({ range }: { range: UsageRange }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: usage } = useSuspenseQuery(usageQuery(...range))
  const [by] = range
  if (usage.rows.length === 0) {
    return <EmptyState title={t('admin.usage.empty.title')} body={t('admin.usage.empty.body')} />
  }
  const sum = (pick: (row: UsageRow) => number) => usage.rows.reduce((total, row) => total + pick(row), 0)
  return (
    <Table caption={t('admin.usage.title')}>
      <thead>
        <tr>
          <Th>{t(`admin.usage.by.${by}`)}</Th>
          <Th className="text-end">{t('admin.usage.calls')}</Th>
          <Th className="text-end">{t('admin.usage.ok')}</Th>
          <Th className="text-end">{t('admin.usage.failed')}</Th>
          <Th className="text-end">{t('admin.usage.refused')}</Th>
          <Th className="text-end">{t('admin.usage.cost')}</Th>
        </tr>
      </thead>
      <tbody>
        {usage.rows.map((row) => (
          <tr key={row.key}>
            <Td className="min-w-40">
              <bdi>{by === 'day' ? format.date(row.key) : row.label || row.key}</bdi>
            </Td>
            <Td className="text-end tabular-nums">{format.number(row.calls)}</Td>
            <Td className="text-end tabular-nums">{format.number(row.ok)}</Td>
            <Td className="text-end tabular-nums">{format.number(row.failed)}</Td>
            <Td className="text-end tabular-nums">{format.number(row.refused)}</Td>
            <Td className="text-end whitespace-nowrap tabular-nums">
              <Cost row={row} />
            </Td>
          </tr>
        ))}
      </tbody>
      {usage.rows.length > 1 && (
        <tfoot className="border-t border-line-strong font-medium">
          <tr>
            <Td>{t('admin.usage.total')}</Td>
            <Td className="text-end tabular-nums">{format.number(sum(({ calls }) => calls))}</Td>
            <Td className="text-end tabular-nums">{format.number(sum(({ ok }) => ok))}</Td>
            <Td className="text-end tabular-nums">{format.number(sum(({ failed }) => failed))}</Td>
            <Td className="text-end tabular-nums">{format.number(sum(({ refused }) => refused))}</Td>
            <Td className="text-end whitespace-nowrap tabular-nums">
              <Cost
                row={{
                  costMicros: usage.rows.every(({ costMicros }) => costMicros === null)
                    ? null
                    : sum(({ costMicros }) => costMicros ?? 0),
                  unknownCalls: sum(({ unknownCalls }) => unknownCalls),
                  estimatedHeldMicros: sum(({ estimatedHeldMicros }) => estimatedHeldMicros),
                }}
              />
            </Td>
          </tr>
        </tfoot>
      )}
    </Table>
  )
}

/** What is known of a cost, and how much is not. */
function Cost({ row }: { row: Pick<UsageRow, 'costMicros' | 'unknownCalls' | 'estimatedHeldMicros'> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { costMicros, unknownCalls, estimatedHeldMicros } = row
  return (
    <>
      {costMicros === null ? <span className="text-ink-3">{t('admin.unknown')}</span> : format.micros(costMicros)}
      {unknownCalls > 0 && (
        <span className="block text-xs font-normal text-ink-3">
          {t('admin.health.unknownCalls', { count: unknownCalls, formatted: format.number(unknownCalls) })}
        </span>
      )}
      {estimatedHeldMicros > 0 && (
        <span className="block text-xs font-normal text-ink-3">
          {t('admin.usage.held', { amount: format.micros(estimatedHeldMicros) })}
        </span>
      )}
    </>
  )
}
