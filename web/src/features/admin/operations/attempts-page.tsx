import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AttemptOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Field, Select } from '@/ui/form/field'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { type AttemptFilter, attemptsQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { EmptyList } from '../components/empty-list'
import { AdminPage } from '../layout/admin-page'
import { KINDS, type Outcome } from '../types'
import { InstanceSelect } from './instance-select'
import { LoadMore } from './load-more'

const tones: Record<Outcome, Tone> = { ok: 'ok', error: 'danger', skipped: 'quiet', abandoned: 'warn' }
const OUTCOMES = Object.keys(tones) as Outcome[]

type Filter = { kind?: string; instance?: string; outcome?: string }
/** `onFilter` changes what is given of the filter; without that, all of it goes. */
type Props = { filter: Filter; onFilter: (change?: Filter) => void }

/** What of an address can be filtered by. */
export const attemptFilter = ({ kind, instance, outcome }: Filter): AttemptFilter => ({
  kind: KINDS.find((known) => known === kind),
  instance,
  outcome: OUTCOMES.find((known) => known === outcome),
})

/** What was called, how it ended and what it cost. */
export function AttemptsPage({ filter: wanted, onFilter }: Props) {
  const { t } = useTranslation()
  const filter = attemptFilter(wanted)
  const choose = (key: keyof AttemptFilter) => (value: string | undefined) => onFilter({ [key]: value })
  return (
    <AdminPage title={t('admin.attempts.title')} lead={t('admin.attempts.lead')}>
      <div className="mb-6 flex flex-wrap gap-4">
        <Field label={t('admin.filter.kind')} className="w-full sm:w-44">
          {(aria) => (
            <Select
              {...aria}
              value={filter.kind ?? ''}
              onChange={(event) => choose('kind')(event.target.value || undefined)}
            >
              <option value="">{t('admin.filter.all')}</option>
              {KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`admin.kind.${kind}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <InstanceSelect
          value={filter.instance}
          onChange={choose('instance')}
          among={({ kind }) => !filter.kind || kind === filter.kind}
        />
        <Field label={t('admin.filter.outcome')} className="w-full sm:w-44">
          {(aria) => (
            <Select
              {...aria}
              value={filter.outcome ?? ''}
              onChange={(event) => choose('outcome')(event.target.value || undefined)}
            >
              <option value="">{t('admin.filter.all')}</option>
              {OUTCOMES.map((outcome) => (
                <option key={outcome} value={outcome}>
                  {t(`admin.attempts.outcome.${outcome}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <AdminQueryBoundary key={Object.values(filter).join(' ')}>
        <Attempts filter={filter} onClear={() => onFilter()} />
      </AdminQueryBoundary>
    </AdminPage>
  )
}

function Attempts({ filter, onClear }: { filter: AttemptFilter; onClear: () => void }) {
  const { t } = useTranslation()
  const pages = useSuspenseInfiniteQuery(attemptsQuery(filter))
  const rows = pages.data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) {
    return (
      <EmptyList
        filter={filter}
        onClear={onClear}
        title={t('admin.attempts.empty.title')}
        body={t('admin.attempts.empty.body')}
      />
    )
  }
  return (
    <>
      <Table caption={t('admin.attempts.title')}>
        <thead>
          <tr>
            <Th>{t('admin.attempts.time')}</Th>
            <Th>{t('admin.filter.instance')}</Th>
            <Th>{t('admin.attempts.operation')}</Th>
            <Th>{t('admin.filter.outcome')}</Th>
            <Th className="text-end">{t('admin.attempts.took')}</Th>
            <Th className="text-end">{t('admin.attempts.cost')}</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((attempt) => (
            <AttemptRow key={attempt.id} attempt={attempt} />
          ))}
        </tbody>
      </Table>
      <LoadMore pages={pages} />
    </>
  )
}

function AttemptRow({ attempt }: { attempt: AttemptOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { instanceId, operation, model, n, outcome, code, detail, effect, startedAt, elapsedMs } = attempt
  return (
    <tr>
      <Td className="whitespace-nowrap tabular-nums">{format.time(startedAt)}</Td>
      <Td>
        <Link
          to="/admin/providers/$id"
          params={{ id: instanceId }}
          className="whitespace-nowrap underline-offset-2 hover:underline"
        >
          <bdi>{instanceId}</bdi>
        </Link>
        <span className="block text-xs text-ink-3">{t(`admin.kind.${attempt.kind}`)}</span>
      </Td>
      <Td>
        <bdi>{operation}</bdi>
        {n > 1 && <span className="text-xs text-ink-3"> · {t('admin.attempts.nth', { n: format.number(n) })}</span>}
        {model && <bdi className="block text-xs text-ink-3">{model}</bdi>}
      </Td>
      <Td className="min-w-56">
        <StatusPill tone={tones[outcome]}>{t(`admin.attempts.outcome.${outcome}`)}</StatusPill>
        {code && (
          <code dir="ltr" className="ms-2 text-xs">
            {code}
          </code>
        )}
        {detail && (
          <span className="mt-1 block max-w-96 text-xs break-words text-ink-2">
            <bdi>{detail}</bdi>
          </span>
        )}
        {effect === 'unknown' && (
          <span className="mt-1 block text-xs text-warn">{t('admin.attempts.effectUnknown')}</span>
        )}
      </Td>
      <Td className="text-end whitespace-nowrap tabular-nums">{format.duration(elapsedMs)}</Td>
      <Td className="text-end whitespace-nowrap tabular-nums">
        {attempt.costMicros === null ? (
          <span className="text-ink-3">{t('admin.unknown')}</span>
        ) : (
          <>
            {format.micros(attempt.costMicros)}
            <span className="block text-xs text-ink-3">{t(`admin.attempts.source.${attempt.costSource}`)}</span>
          </>
        )}
      </Td>
    </tr>
  )
}
