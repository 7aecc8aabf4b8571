import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input, Select } from '@/ui/form/field'
import { EmptyState, Skeleton } from '@/ui/states'
import { StatusPill } from '@/ui/status-pill'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { LoadMore } from '../operations/load-more'
import { EntryChanges } from './entry-changes'
import { AREAS, type AuditFilter, type AuditSearch, auditFile, auditFilter, auditQuery } from './queries'

/** `onFilter` changes what is given of the filter; without that, all of it goes. */
type Props = { filter: AuditSearch; onFilter: (change?: AuditSearch) => void }

/** Who did what, what it changed, and the way back. */
export function AuditPage({ filter: wanted, onFilter }: Props) {
  const { t } = useTranslation()
  const filter = auditFilter(wanted)
  return (
    <AdminPage
      title={t('admin.audit.title')}
      lead={t('admin.audit.lead')}
      actions={
        <Button asChild variant="outline">
          <a href={auditFile(filter)} download="audit.csv">
            <Download aria-hidden />
            {t('admin.audit.csv')}
          </a>
        </Button>
      }
    >
      <Filters wanted={wanted} onFilter={onFilter} />
      <AdminQueryBoundary key={JSON.stringify(filter)}>
        <Entries filter={filter} onClear={() => onFilter()} />
      </AdminQueryBoundary>
    </AdminPage>
  )
}

function Filters({ wanted, onFilter }: { wanted: AuditSearch; onFilter: Props['onFilter'] }) {
  const { t } = useTranslation()
  const set = (key: keyof AuditSearch, value: string) => onFilter({ [key]: value || undefined })
  const text = (key: 'object' | 'actorId', label: string, className: string) => (
    <Field label={label} className={className}>
      {(aria) => (
        <Input
          {...aria}
          key={wanted[key] ?? ''}
          dir="ltr"
          defaultValue={wanted[key] ?? ''}
          inputMode={key === 'actorId' ? 'numeric' : undefined}
          onBlur={({ target }) => target.value !== (wanted[key] ?? '') && set(key, target.value)}
          onKeyDown={({ key: pressed, currentTarget }) => pressed === 'Enter' && set(key, currentTarget.value)}
        />
      )}
    </Field>
  )
  return (
    <div className="mb-6 flex flex-wrap items-end gap-4">
      <Field label={t('admin.audit.area')} className="w-full sm:w-52">
        {(aria) => (
          <Select {...aria} value={wanted.area ?? ''} onChange={({ target }) => set('area', target.value)}>
            <option value="">{t('admin.audit.allAreas')}</option>
            {AREAS.map((area) => (
              <option key={area} value={area}>
                {t(`admin.audit.areas.${area}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {text('object', t('admin.audit.about'), 'w-full sm:w-52')}
      {text('actorId', t('admin.audit.person'), 'w-full sm:w-32')}
      {(['from', 'to'] as const).map((key) => (
        <Field key={key} label={t(`admin.audit.${key}`)} className="w-40">
          {(aria) => (
            <Input
              {...aria}
              type="date"
              dir="ltr"
              value={wanted[key] ?? ''}
              onChange={({ target }) => set(key, target.value)}
            />
          )}
        </Field>
      ))}
      <label className="flex h-10 items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={wanted.values === 'true'}
          onChange={({ target }) => set('values', target.checked ? 'true' : '')}
          className="size-4 accent-accent"
        />
        {t('admin.audit.valuesOnly')}
      </label>
    </div>
  )
}

function Entries({ filter, onClear }: { filter: AuditFilter; onClear: () => void }) {
  const { t } = useTranslation()
  const pages = useSuspenseInfiniteQuery(auditQuery(filter))
  const entries = pages.data.pages.flatMap((page) => page.rows)
  if (entries.length === 0) {
    return (
      <EmptyState
        title={t('admin.audit.none.title')}
        body={t('admin.audit.none.body')}
        action={
          <Button variant="outline" onClick={onClear}>
            {t('admin.filter.clear')}
          </Button>
        }
      />
    )
  }
  return (
    <>
      <ol aria-label={t('admin.audit.title')} className="overflow-hidden rounded-lg bg-surface shadow-1">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      <LoadMore pages={pages} />
    </>
  )
}

/** One deed: a row where there is room, lines below each other where there is not. */
function Entry({ entry }: { entry: AuditOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const [open, setOpen] = useState(false)
  const who = entry.actorEmail ?? (entry.actorId === null ? t('admin.audit.nobody') : String(entry.actorId))
  return (
    <li className="border-b border-line px-4 py-3 last:border-0">
      <dl className="grid gap-x-4 gap-y-1 text-note md:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1.2fr)_auto] md:items-baseline">
        <Cell name={t('admin.audit.time')}>
          <span className="tabular-nums">{format.time(entry.at)}</span>
        </Cell>
        <Cell name={t('admin.audit.who')}>
          <bdi className="break-words">{who}</bdi>
          {entry.ip && (
            <span className="block text-xs text-ink-3">
              <bdi dir="ltr">{entry.ip}</bdi>
            </span>
          )}
        </Cell>
        <Cell name={t('admin.audit.what')}>
          <code dir="ltr" className="break-words">
            {entry.action}
          </code>
          {entry.object && (
            <span className="block text-xs break-words text-ink-2">
              <code dir="ltr">{entry.object}</code>
            </span>
          )}
          {entry.keys.length > 0 && (
            <span className="block text-xs break-words text-ink-3">
              {t('admin.audit.fields', { fields: entry.keys.join(', ') })}
            </span>
          )}
        </Cell>
        <Cell name={t('admin.audit.outcome')}>
          <StatusPill tone={entry.outcome === 'ok' || entry.outcome === 'restored' ? 'ok' : 'quiet'}>
            <bdi dir="ltr">{entry.outcome}</bdi>
          </StatusPill>
        </Cell>
      </dl>
      {entry.hasValues && (
        <div className="mt-2">
          <Button variant="ghost" size="sm" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {t(open ? 'admin.audit.close' : 'admin.audit.open')}
          </Button>
          <div id={id}>
            {open && (
              <AdminQueryBoundary skeleton={<Skeleton className="h-24 rounded-md" />}>
                <EntryChanges id={entry.id} />
              </AdminQueryBoundary>
            )}
          </div>
        </div>
      )}
    </li>
  )
}

function Cell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="sr-only">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
