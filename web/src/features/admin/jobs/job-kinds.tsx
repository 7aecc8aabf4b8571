import { useTranslation } from 'react-i18next'
import { type JobOverviewOut, pauseJobKind, pauseJobService, resumeJobKind, resumeJobService } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { StatusPill } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { PauseButton } from './pause-button'
import type { JobKind } from './queries'

type Props = { kinds: JobOverviewOut['kinds']; onKind: (kind: JobKind) => void }

/** How much of each kind waits and runs, and whether it is paused. */
export function JobKinds({ kinds, onKind }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Table caption={t('admin.jobs.kinds')}>
      <thead>
        <tr>
          <Th>{t('admin.filter.kind')}</Th>
          <Th className="text-end">{t('admin.jobs.states.waiting')}</Th>
          <Th className="text-end">{t('admin.jobs.states.running')}</Th>
          <Th>{t('admin.jobs.oldest')}</Th>
          <Th>{t('admin.jobs.state')}</Th>
          <Th>
            <span className="sr-only">{t('admin.jobs.pause')}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, waiting, running, oldestAt, pausedAt }) => (
          <tr key={kind}>
            <Td className="sm:whitespace-nowrap">
              <button
                type="button"
                className="font-medium underline-offset-2 hover:underline"
                onClick={() => onKind(kind)}
              >
                {t(`admin.jobs.kind.${kind}`)}
              </button>
            </Td>
            <Td className="text-end tabular-nums">{format.number(waiting)}</Td>
            <Td className="text-end tabular-nums">{format.number(running)}</Td>
            <Td className="whitespace-nowrap text-ink-2">{oldestAt ? format.ago(oldestAt) : t('admin.jobs.none')}</Td>
            <Td>
              <PausedPill pausedAt={pausedAt} />
            </Td>
            <Td className="text-end">
              <PauseButton
                label={t(`admin.jobs.kind.${kind}`)}
                paused={pausedAt !== null}
                onPause={() => pauseJobKind({ path: { job_kind: kind }, throwOnError: true })}
                onResume={() => resumeJobKind({ path: { job_kind: kind }, throwOnError: true })}
              />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The image services, each of which can be paused. */
export function JobServices({ services }: { services: JobOverviewOut['instances'] }) {
  const { t } = useTranslation()
  return (
    <ul
      aria-label={t('admin.jobs.services')}
      className="divide-y divide-line rounded-lg bg-surface px-4 text-note shadow-1"
    >
      {services.map(({ instanceId, label, pausedAt }) => (
        <li key={instanceId} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <bdi className="min-w-0 flex-1 font-medium wrap-anywhere">{label}</bdi>
          <PausedPill pausedAt={pausedAt} />
          <PauseButton
            label={label}
            paused={pausedAt !== null}
            onPause={() => pauseJobService({ path: { service_id: instanceId }, throwOnError: true })}
            onResume={() => resumeJobService({ path: { service_id: instanceId }, throwOnError: true })}
          />
        </li>
      ))}
    </ul>
  )
}

function PausedPill({ pausedAt }: { pausedAt: string | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  return pausedAt === null ? (
    <StatusPill tone="ok">{t('admin.jobs.active')}</StatusPill>
  ) : (
    <StatusPill tone="warn">{t('admin.jobs.pausedSince', { time: format.ago(pausedAt) })}</StatusPill>
  )
}
