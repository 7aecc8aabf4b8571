import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { HealthOut, InstanceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { StatePill } from '../../components/state-pill'
import { useStateReason } from '../../hooks/use-state-reason'
import { providerName } from '../../provider-texts'
import type { Kind } from '../../types'
import { HealthStrip } from './health-strip'
import { InstanceMenu } from './instance-menu'

// the calls of other kinds are not written down: figures would say that they never worked
const RECORDED: readonly Kind[] = ['image', 'payment', 'email']

type Props = {
  instance: InstanceOut
  /** What its place in the order means; undefined outside of it. */
  role: string | undefined
  health: HealthOut | undefined
  pending: boolean
  /** Puts it at the end of the order, or takes it out. */
  onRoute: (inRoute: boolean) => void
}

/** One instance in the list of its kind. */
export function InstanceRow({ instance, role, health, pending, onRoute }: Props) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  // the state of all processes together is known to the health, that of one to the instance
  const { state, since } = health ?? instance
  const reason = useStateReason(instance, state)
  return (
    <div className="space-y-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
            <Link
              to="/admin/providers/$id"
              params={{ id: instance.id }}
              className="min-w-0 truncate text-body font-medium hover:underline"
            >
              <bdi>{instance.label}</bdi>
            </Link>
            <StatePill state={state} />
            {role && <span className="text-xs text-ink-2">{role}</span>}
          </div>
          <p className="mt-0.5 text-xs text-ink-3">
            <bdi>{providerName(i18n, instance)}</bdi> · {t('admin.providers.since', { time: format.time(since) })}
            {instance.origin === 'file' && <> · {t('admin.providers.fromFile')}</>}
          </p>
          {reason && (
            <p className="mt-1.5 max-w-text text-note break-words text-danger">
              <bdi>{reason}</bdi>
            </p>
          )}
          {instance.notice && (
            <p className="mt-1.5 max-w-text text-note break-words text-warn">
              <bdi>{instance.notice}</bdi>
            </p>
          )}
        </div>
        <InstanceMenu instance={instance} inRoute={role !== undefined} onRoute={onRoute} />
      </div>
      {RECORDED.includes(instance.kind) && <HealthStrip health={health} pending={pending} />}
    </div>
  )
}
