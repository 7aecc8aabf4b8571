import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchText } from '@/lib/hooks/use-search-text'
import { Field, Input, Select } from '@/ui/form/field'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { JobKinds, JobServices } from './job-kinds'
import { JobList } from './job-list'
import { JobProcesses } from './job-processes'
import { type JobFilter, type JobKind, jobOverviewQuery, STATES } from './queries'

/** Typing that has rested for so many milliseconds is searched for. */
const RESTED = 400
const LONGEST = 254

type Wanted = { kind?: string; state?: string; owner?: string }
/** `onFilter` changes what is given of the filter; without that, all of it goes. */
type Props = { filter: Wanted; onFilter: (change?: Wanted) => void }

const kinds: Record<JobKind, true> = {
  generation: true,
  archive: true,
  edition_pack: true,
  account_email: true,
  campaign: true,
  webhook: true,
  payment_resync: true,
  customer_deletion: true,
  customer_backfill: true,
  price_move: true,
  account_deletion: true,
  backup: true,
}
const KINDS = Object.keys(kinds) as JobKind[]

/** What of an address can be filtered by. */
export const jobFilter = ({ kind, state, owner }: Wanted): JobFilter => ({
  kind: KINDS.find((known) => known === kind),
  state: STATES.find((known) => known === state),
  owner: owner?.slice(0, LONGEST) || undefined,
})

/** Everything that workers do: what waits and runs, who does it, and what is paused. */
export function JobsPage({ filter: wanted, onFilter }: Props) {
  const { t } = useTranslation()
  const filter = jobFilter(wanted)
  return (
    <AdminPage title={t('admin.jobs.title')} lead={t('admin.jobs.lead')}>
      <AdminQueryBoundary>
        <Overview onKind={(kind) => onFilter({ kind })} />
      </AdminQueryBoundary>
      <Section title={t('admin.jobs.list')}>
        <Toolbar filter={filter} onFilter={onFilter} />
        <AdminQueryBoundary key={Object.values(filter).join(' ')}>
          <JobList filter={filter} onClear={() => onFilter()} />
        </AdminQueryBoundary>
      </Section>
    </AdminPage>
  )
}

function Overview({ onKind }: { onKind: (kind: JobKind) => void }) {
  const { t } = useTranslation()
  const { kinds, instances, processes } = useSuspenseQuery(jobOverviewQuery()).data
  return (
    <>
      <JobKinds kinds={kinds} onKind={onKind} />
      {instances.length > 0 && (
        <Section title={t('admin.jobs.services')} lead={t('admin.jobs.servicesLead')}>
          <JobServices services={instances} />
        </Section>
      )}
      <Section title={t('admin.jobs.processes')} lead={t('admin.jobs.processesLead')}>
        <JobProcesses processes={processes} />
      </Section>
    </>
  )
}

function Section({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="text-lg font-medium">
        {title}
      </h2>
      {lead && <p className="mt-0.5 max-w-text text-note text-ink-2">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}

function Toolbar({ filter, onFilter }: { filter: JobFilter; onFilter: Props['onFilter'] }) {
  const { t } = useTranslation()
  const [owner, setOwner] = useSearchText(
    filter.owner ?? '',
    (owner) => onFilter({ owner: owner || undefined }),
    RESTED,
  )
  return (
    <div className="mb-6 flex flex-wrap gap-4">
      <Field label={t('admin.filter.kind')} className="w-full sm:w-56">
        {(aria) => (
          <Select
            {...aria}
            value={filter.kind ?? ''}
            onChange={({ target }) => onFilter({ kind: target.value || undefined })}
          >
            <option value="">{t('admin.filter.all')}</option>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(`admin.jobs.kind.${kind}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('admin.jobs.state')} className="w-full sm:w-56">
        {(aria) => (
          <Select
            {...aria}
            value={filter.state ?? ''}
            onChange={({ target }) => onFilter({ state: target.value || undefined })}
          >
            <option value="">{t('admin.jobs.open')}</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {t(`admin.jobs.states.${state}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('admin.jobs.owner')} className="w-full sm:w-72">
        {(aria) => (
          <Input
            {...aria}
            type="search"
            dir="ltr"
            placeholder={t('admin.jobs.ownerHint')}
            maxLength={LONGEST}
            value={owner}
            onChange={({ target }) => setOwner(target.value)}
          />
        )}
      </Field>
    </div>
  )
}
