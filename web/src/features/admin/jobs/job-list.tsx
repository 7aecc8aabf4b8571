import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Ellipsis, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelJob, type JobOut, retryJob } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/ui/overlay/menu'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { EmptyList } from '../components/empty-list'
import { LoadMore } from '../operations/load-more'
import { type JobFilter, type JobState, jobsQuery } from './queries'
import { useJobAction } from './use-job-action'

const tones: Record<JobState, Tone> = {
  waiting: 'quiet',
  running: 'ok',
  completed: 'ok',
  failed: 'danger',
  canceled: 'warn',
}

/** All jobs that match, newest first. */
export function JobList({ filter, onClear }: { filter: JobFilter; onClear: () => void }) {
  const { t } = useTranslation()
  const pages = useSuspenseInfiniteQuery(jobsQuery(filter))
  const [doomed, setDoomed] = useState<JobOut>()
  const cancel = useJobAction()
  const rows = pages.data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) {
    return (
      <EmptyList
        filter={filter}
        onClear={onClear}
        title={t('admin.jobs.emptyTitle')}
        body={t('admin.jobs.emptyBody')}
      />
    )
  }
  return (
    <>
      <Table caption={t('admin.jobs.list')}>
        <thead>
          <tr>
            <Th>{t('admin.jobs.job')}</Th>
            <Th>{t('admin.jobs.state')}</Th>
            <Th>{t('admin.jobs.age')}</Th>
            <Th className="text-end">{t('admin.jobs.tries')}</Th>
            <Th>{t('admin.jobs.owner')}</Th>
            <Th>{t('admin.jobs.worker')}</Th>
            <Th>
              <span className="sr-only">{t('admin.jobs.retry')}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((job) => (
            <JobRow key={job.id} job={job} onCancel={() => setDoomed(job)} />
          ))}
        </tbody>
      </Table>
      <LoadMore pages={pages} />
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={() => setDoomed(undefined)}
        title={t('admin.jobs.cancelTitle')}
        description={t('admin.jobs.cancelBody')}
        confirm={t('admin.jobs.cancel')}
        destructive
        pending={cancel.isPending}
        onConfirm={() =>
          doomed &&
          cancel.mutate(
            {
              run: () => cancelJob({ path: { job_id: doomed.id }, throwOnError: true }),
              done: t('admin.jobs.canceled'),
            },
            { onSettled: () => setDoomed(undefined) },
          )
        }
      />
    </>
  )
}

function JobRow({ job, onCancel }: { job: JobOut; onCancel: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { kind, about, state, phase, progress, attempts, owner, worker, error, createdAt, runAfter, instanceId } = job
  const [when] = useState(Date.now)
  const later = state === 'waiting' && runAfter !== null && Date.parse(runAfter) > when
  return (
    <tr>
      <Td className="max-w-72">
        <span className="font-medium">{t(`admin.jobs.kind.${kind}`)}</span>
        {about && <bdi className="block truncate text-xs text-ink-2">{about}</bdi>}
        <code dir="ltr" className="block truncate text-xs text-ink-3">
          {job.id.slice(kind.length + 1)}
        </code>
      </Td>
      <Td className="min-w-44">
        <StatusPill tone={tones[state]}>{t(`admin.jobs.states.${state}`)}</StatusPill>
        {state === 'running' && phase && <bdi className="ms-2 text-xs text-ink-2">{phase}</bdi>}
        {state === 'running' && progress !== null && (
          <span className="ms-2 text-xs text-ink-2 tabular-nums">{format.percent(progress)}</span>
        )}
        {later && (
          <span className="mt-1 block text-xs text-ink-2">{t('admin.jobs.next', { time: format.ago(runAfter) })}</span>
        )}
        {error && (
          <code dir="ltr" className="mt-1 block max-w-72 text-xs wrap-anywhere text-danger">
            {error}
          </code>
        )}
      </Td>
      <Td className="whitespace-nowrap">
        <time dateTime={createdAt} title={format.time(createdAt)}>
          {format.ago(createdAt)}
        </time>
      </Td>
      <Td className="text-end tabular-nums">{format.number(attempts)}</Td>
      <Td className="max-w-56 truncate">{owner ? <bdi dir="ltr">{owner}</bdi> : t('admin.jobs.site')}</Td>
      <Td className="max-w-48">
        {worker && (
          <code dir="ltr" className="block truncate text-xs">
            {worker}
          </code>
        )}
        {instanceId && <bdi className="block truncate text-xs text-ink-3">{instanceId}</bdi>}
      </Td>
      <Td className="w-0 text-end">
        <JobMenu job={job} onCancel={onCancel} />
      </Td>
    </tr>
  )
}

function JobMenu({ job, onCancel }: { job: JobOut; onCancel: () => void }) {
  const { t } = useTranslation()
  const retry = useJobAction()
  if (!job.canRetry && !job.canCancel) return null
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('admin.jobs.actions', { job: t(`admin.jobs.kind.${job.kind}`) })}
          aria-busy={retry.isPending}
        >
          <Ellipsis />
        </Button>
      </MenuTrigger>
      <MenuContent>
        {job.canRetry && (
          <MenuItem
            onSelect={() =>
              retry.mutate({
                run: () => retryJob({ path: { job_id: job.id }, throwOnError: true }),
                done: t('admin.jobs.retried'),
              })
            }
          >
            <RotateCcw aria-hidden />
            {t(job.state === 'failed' ? 'admin.jobs.again' : 'admin.jobs.retry')}
          </MenuItem>
        )}
        {job.canCancel && (
          <MenuItem destructive onSelect={onCancel}>
            <X aria-hidden />
            {t('admin.jobs.cancel')}
          </MenuItem>
        )}
      </MenuContent>
    </Menu>
  )
}
