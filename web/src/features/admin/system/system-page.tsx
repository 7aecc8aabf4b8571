import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { Check, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { SystemOut } from '@/api/generated'
import { getSystemOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { JobProcesses } from '../jobs/job-processes'
import { AdminPage } from '../layout/admin-page'
import { useBytes } from './use-bytes'

/** The state is asked for again so often, in milliseconds. */
const LIVE = 5_000

export const systemQuery = () => queryOptions({ ...getSystemOptions(), refetchInterval: LIVE })

/** What the site runs on, and what of it needs a look. */
export function SystemPage() {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.system.title')} lead={t('admin.system.lead')}>
      <AdminQueryBoundary>
        <State />
      </AdminQueryBoundary>
    </AdminPage>
  )
}

function State() {
  const { t } = useTranslation()
  const { data: state } = useSuspenseQuery(systemQuery())
  return (
    <>
      <Warnings warnings={state.warnings} />
      <div className="grid grid-cols-1 gap-6 md:grid-cols-2">
        <Versions state={state} />
        <Queue state={state} />
        <Jobs state={state} />
        <BackupState backup={state.backup} />
      </div>
      <h2 className="mt-12 mb-4 text-lg font-medium">{t('admin.jobs.processes')}</h2>
      <JobProcesses processes={state.processes} />
    </>
  )
}

function Warnings({ warnings }: Pick<SystemOut, 'warnings'>) {
  const { t } = useTranslation()
  if (warnings.length === 0)
    return (
      <p className="mb-8 flex items-center gap-2.5 rounded-lg bg-ok-soft px-4 py-3 text-sm text-ok">
        <Check aria-hidden className="size-4 shrink-0" />
        {t('admin.system.well')}
      </p>
    )
  return (
    <ul aria-label={t('admin.system.attention')} className="mb-8 space-y-2">
      {warnings.map((warning) => (
        <li key={warning} className="flex items-start gap-2.5 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t(`admin.system.warning.${warning}`)}
        </li>
      ))}
    </ul>
  )
}

function Versions({ state: { version, python, database, disk } }: { state: SystemOut }) {
  const { t } = useTranslation()
  const bytes = useBytes()
  const { revision, newestRevision } = database
  const isNewest = revision === newestRevision
  return (
    <Facts title={t('admin.system.version')}>
      <Fact name="Coverwright">{`${version}, Python ${python}`}</Fact>
      <Fact name={t('admin.system.database')}>
        {database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'} {database.version}
      </Fact>
      <Fact name={t('admin.system.schema')}>
        {isNewest ? revision : t('admin.system.schemaOld', { revision, newest: newestRevision })}
      </Fact>
      <Fact name={t('admin.system.size')}>{bytes(database.bytes)}</Fact>
      {disk && (
        <Fact name={t('admin.system.disk')}>
          {t('admin.system.free', { free: bytes(disk.free), total: bytes(disk.total) })}
        </Fact>
      )}
    </Facts>
  )
}

function Queue({ state: { queue } }: { state: SystemOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const bytes = useBytes()
  return (
    <Facts title={t('admin.system.queue')} note={queue ? undefined : t('admin.system.away')}>
      {queue && (
        <>
          <Fact name={t('admin.system.version')}>{queue.version}</Fact>
          <Fact name={t('admin.system.size')}>{bytes(queue.bytes)}</Fact>
          <Fact name={t('admin.system.rings')}>{format.number(queue.rings)}</Fact>
        </>
      )}
    </Facts>
  )
}

function Jobs({ state: { jobs, sweeps, notices } }: { state: SystemOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const ago = (moment: string | null) => (moment ? format.ago(moment) : t('admin.system.never'))
  return (
    <Facts title={t('admin.system.jobs')}>
      <Fact name={t('admin.jobs.states.waiting')}>{format.number(jobs.waiting)}</Fact>
      <Fact name={t('admin.jobs.states.running')}>{format.number(jobs.running)}</Fact>
      {jobs.oldestAt && <Fact name={t('admin.system.oldest')}>{format.ago(jobs.oldestAt)}</Fact>}
      {sweeps && (
        <>
          <Fact name={t('admin.system.sweeps')}>{ago(sweeps.jobsAt)}</Fact>
          <Fact name={t('admin.system.cleaned')}>{ago(sweeps.cleanedAt)}</Fact>
        </>
      )}
      <Fact name={t('admin.system.notices')}>{format.number(notices)}</Fact>
    </Facts>
  )
}

function BackupState({ backup }: Pick<SystemOut, 'backup'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const bytes = useBytes()
  const { at, place, added, error, scheduledTo, everyHours, missed } = backup
  return (
    <Facts title={t('admin.system.backup')} note={scheduledTo ? undefined : t('admin.system.noSchedule')}>
      <Fact name={t('admin.system.last')}>{at ? format.time(at) : t('admin.system.never')}</Fact>
      {backup.bytes !== null && (
        <Fact name={t('admin.system.size')}>
          {t('admin.system.lastSize', { size: bytes(backup.bytes), added: bytes(added ?? 0) })}
        </Fact>
      )}
      {place && <Fact name={t('admin.system.lastPlace')}>{place}</Fact>}
      {error && (
        <Fact name={t('admin.system.lastFailed')}>
          <span className="text-danger">{error}</span>
        </Fact>
      )}
      {scheduledTo && (
        <>
          <Fact name={t('admin.system.schedule')}>
            {t('admin.system.everyHours', { hours: format.number(everyHours) })}
          </Fact>
          <Fact name={t('admin.system.missed')}>{format.number(missed)}</Fact>
        </>
      )}
    </Facts>
  )
}

/** Facts of one part; `note` is said below them, or in their place. */
function Facts({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-lg bg-surface px-4 py-3 shadow-1">
      <h2 id={id} className="py-1 font-medium">
        {title}
      </h2>
      {children && <dl className="divide-y divide-line">{children}</dl>}
      {note && <p className="py-2.5 text-note text-ink-2">{note}</p>}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 py-2.5 text-note">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere tabular-nums">
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}
