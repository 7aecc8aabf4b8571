import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SuppressionOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'
import { useSearchText } from '@/lib/hooks/use-search-text'
import { Button } from '@/ui/button'
import { SearchInput, Select } from '@/ui/form/field'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { EmptyList } from '../components/empty-list'
import { AdminPage } from '../layout/admin-page'
import { LoadMore } from '../operations/load-more'
import { LiftDialog } from './lift-dialog'
import {
  REASONS,
  type SuppressionFilter,
  type SuppressionSearch,
  suppressionFile,
  suppressionFilter,
  suppressionsQuery,
} from './queries'

/** Typing that has rested for so many milliseconds is searched for. */
const RESTED = 250

const tones: Record<SuppressionOut['reason'], Tone> = { bounced: 'warn', complained: 'danger', unsubscribed: 'quiet' }

/** `onFilter` changes what is given of the filter; without that, all of it goes. */
type Props = { filter: SuppressionSearch; onFilter: (change?: SuppressionSearch) => void }

/** Addresses that get no email: why, since when, and the way back. */
export function SuppressionsPage({ filter: wanted, onFilter }: Props) {
  const { t } = useTranslation()
  const filter = suppressionFilter(wanted)
  return (
    <AdminPage
      title={t('admin.suppressions.title')}
      lead={t('admin.suppressions.lead')}
      actions={
        <Button asChild variant="outline">
          <a href={suppressionFile(filter)} download="suppressed.csv">
            <Download aria-hidden />
            {t('admin.audit.csv')}
          </a>
        </Button>
      }
    >
      <Toolbar filter={filter} onFilter={onFilter} />
      <AdminQueryBoundary key={JSON.stringify(filter)}>
        <Addresses filter={filter} onClear={() => onFilter()} />
      </AdminQueryBoundary>
    </AdminPage>
  )
}

function Toolbar({ filter, onFilter }: { filter: SuppressionFilter; onFilter: Props['onFilter'] }) {
  const { t } = useTranslation()
  const [words, setWords] = useSearchText(
    filter.search ?? '',
    (search) => onFilter({ search: search || undefined }),
    RESTED,
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: React and older readers do not all know the search element
    <div role="search" aria-label={t('admin.suppressions.find')} className="mb-6 flex flex-wrap items-center gap-3">
      <SearchInput
        label={t('admin.suppressions.find')}
        maxLength={320}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        className="w-full sm:w-80"
      />
      <Select
        aria-label={t('admin.suppressions.why')}
        value={filter.reason ?? ''}
        onChange={({ target }) => onFilter({ reason: target.value || undefined })}
        className="sm:w-60"
      >
        <option value="">{t('admin.filter.all')}</option>
        {REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {t(`admin.suppressions.reason.${reason}`)}
          </option>
        ))}
      </Select>
    </div>
  )
}

const liftId = (id: number) => `lift-${id}`

function Addresses({ filter, onClear }: { filter: SuppressionFilter; onClear: () => void }) {
  const { t } = useTranslation()
  const pages = useSuspenseInfiniteQuery(suppressionsQuery(filter))
  const [asked, setAsked] = useState<SuppressionOut>()
  const rememberFocus = useReturnFocus(asked !== undefined)
  const rows = pages.data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) {
    return (
      <EmptyList
        filter={filter}
        onClear={onClear}
        title={t('admin.suppressions.empty.title')}
        body={t('admin.suppressions.empty.body')}
      />
    )
  }
  return (
    <>
      <Table caption={t('admin.suppressions.title')}>
        <thead>
          <tr>
            <Th>{t('admin.suppressions.address')}</Th>
            <Th>{t('admin.suppressions.why')}</Th>
            <Th>{t('admin.suppressions.by')}</Th>
            <Th>{t('admin.suppressions.since')}</Th>
            <Th>
              <span className="sr-only">{t('admin.suppressions.lift.action')}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              onLift={() => {
                rememberFocus(`#${liftId(row.id)}`, 'input[type=search]')
                setAsked(row)
              }}
            />
          ))}
        </tbody>
      </Table>
      <LoadMore pages={pages} />
      {asked && (
        <LiftDialog id={asked.id} email={asked.address} reason={asked.reason} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

function Row({ row, onLift }: { row: SuppressionOut; onLift: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { address, reason, source, eventId, createdAt, lastAt, triedAt, userId } = row
  return (
    <tr>
      <Td className="max-w-72 font-medium">
        {userId === null ? (
          <bdi dir="ltr" className="break-words">
            {address}
          </bdi>
        ) : (
          <Link to="/admin/users/$id" params={{ id: String(userId) }} className="underline-offset-2 hover:underline">
            <bdi dir="ltr" className="break-words">
              {address}
            </bdi>
          </Link>
        )}
      </Td>
      <Td>
        <StatusPill tone={tones[reason]}>{t(`admin.suppressions.reason.${reason}`)}</StatusPill>
        <span className="mt-1 block text-xs text-ink-2">{t(`admin.suppressions.scope.${row.scope}`)}</span>
      </Td>
      <Td className="max-w-56">
        {source === 'link' ? t('admin.suppressions.byLink') : <bdi>{source}</bdi>}
        {eventId && (
          <code dir="ltr" className="block truncate text-xs text-ink-3">
            {eventId}
          </code>
        )}
      </Td>
      <Td className="whitespace-nowrap tabular-nums">
        {format.time(createdAt)}
        {lastAt !== createdAt && (
          <span className="block text-xs text-ink-2">
            {t('admin.suppressions.again', { time: format.time(lastAt) })}
          </span>
        )}
        {triedAt && (
          <span className="block text-xs text-ink-2">
            {t('admin.suppressions.tried', { time: format.time(triedAt) })}
          </span>
        )}
      </Td>
      <Td className="text-end">
        <Button id={liftId(row.id)} variant="outline" size="sm" onClick={onLift}>
          {t('admin.suppressions.lift.action')}
        </Button>
      </Td>
    </tr>
  )
}
