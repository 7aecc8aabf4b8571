import { useTranslation } from 'react-i18next'
import { drainWorker, type ProcessOut, resumeWorker } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { StatusPill } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { useJobAction } from './use-job-action'

/** Clocks that differ by less do no harm, in seconds. */
const HARMLESS = 1

/** Every web and worker process, on every host. */
export function JobProcesses({ processes }: { processes: readonly ProcessOut[] | null }) {
  const { t } = useTranslation()
  if (processes === null) return <p className="text-sm text-warn">{t('admin.jobs.away')}</p>
  return (
    <Table caption={t('admin.jobs.processes')}>
      <thead>
        <tr>
          <Th>{t('admin.jobs.process')}</Th>
          <Th>{t('admin.jobs.version')}</Th>
          <Th className="text-end">{t('admin.jobs.load')}</Th>
          <Th className="text-end">{t('admin.jobs.held')}</Th>
          <Th>{t('admin.jobs.seen')}</Th>
          <Th>{t('admin.jobs.state')}</Th>
          <Th>
            <span className="sr-only">{t('admin.jobs.drain')}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {processes.map((process) => (
          <ProcessRow key={`${process.role} ${process.name}`} process={process} />
        ))}
      </tbody>
    </Table>
  )
}

function ProcessRow({ process }: { process: ProcessOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, role, version, load, cpus, running, seenAt, clockAheadS } = process
  const apart = Math.abs(clockAheadS)
  return (
    <tr>
      <Td>
        <span className="font-medium">{t(`admin.jobs.role.${role}`)}</span>
        <code dir="ltr" className="block max-w-32 truncate text-xs sm:max-w-64 text-ink-3">
          {name}
        </code>
        {apart >= HARMLESS && (
          <span className="block text-xs text-danger">
            {t('admin.jobs.clock', { seconds: format.duration(apart * 1000) })}
          </span>
        )}
      </Td>
      <Td>
        <span dir="ltr">{version}</span>
      </Td>
      <Td className="text-end whitespace-nowrap tabular-nums">
        <span dir="ltr">
          {format.decimal(load)} / {format.number(cpus)}
        </span>
      </Td>
      <Td className="text-end tabular-nums">{format.number(running)}</Td>
      <Td className="whitespace-nowrap text-ink-2">{format.ago(seenAt)}</Td>
      <Td>
        <ProcessState process={process} />
      </Td>
      <Td className="text-end">{role === 'worker' && !process.lost && <DrainButton process={process} />}</Td>
    </tr>
  )
}

function ProcessState({ process: { lost, drained } }: { process: ProcessOut }) {
  const { t } = useTranslation()
  if (lost) return <StatusPill tone="danger">{t('admin.jobs.lost')}</StatusPill>
  if (drained) return <StatusPill tone="warn">{t('admin.jobs.drained')}</StatusPill>
  return <StatusPill tone="ok">{t('admin.jobs.alive')}</StatusPill>
}

function DrainButton({ process: { name, drained } }: { process: ProcessOut }) {
  const { t } = useTranslation()
  const action = useJobAction()
  const path = { worker_name: name }
  return (
    <Button
      variant="outline"
      size="sm"
      pending={action.isPending}
      onClick={() =>
        action.mutate(
          drained
            ? { run: () => resumeWorker({ path, throwOnError: true }), done: t('admin.jobs.undrained') }
            : { run: () => drainWorker({ path, throwOnError: true }), done: t('admin.jobs.draining') },
        )
      }
    >
      {t(drained ? 'admin.jobs.undrain' : 'admin.jobs.drain')}
    </Button>
  )
}
