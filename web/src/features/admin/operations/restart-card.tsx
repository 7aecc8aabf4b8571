import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Check, LoaderCircle, RotateCw, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { beginRestart, type HostRestartOut, type PluginChangeOut, type RestartOut } from '@/api/generated'
import { getRestartOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { pluginsQuery } from '../api/queries'
import { Card } from '../components/card'
import { useFailureToast } from '../hooks/use-failure-toast'

/** The state is asked for again so often, in milliseconds. */
const LIVE = 2_000

/** What restarts processes that `coverwright run` did not start; the names are those of our examples. */
const COMMANDS = [
  'systemctl restart …',
  'docker compose restart web worker',
  'kubectl rollout restart deployment/web deployment/worker',
]

export const restartQuery = () => queryOptions({ ...getRestartOptions(), refetchInterval: LIVE })

/** Says when processes have to be started anew for plugins that were installed or removed, and does it. */
export function RestartCard() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: restart } = useSuspenseQuery(restartQuery())
  const finished = restart.hosts
    .filter((host) => host.state === 'done')
    .map((host) => host.at)
    .join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has ended is why it is asked for anew
  useEffect(() => {
    queryClient.invalidateQueries({ queryKey: pluginsQuery().queryKey })
  }, [finished, queryClient])
  const going = restart.hosts.some((host) => host.state === 'running')
  if (!restart.needed && !going && restart.hosts.length === 0) return null
  if (!restart.needed && !going) return <Hosts hosts={restart.hosts} />
  return (
    <div className="mb-8">
      <Card title={t('admin.plugins.restart.title')} lead={t('admin.plugins.restart.lead')}>
        <ul className="mb-5 space-y-1 text-sm">
          {restart.changes.map((change) => (
            <li key={`${change.distribution} ${change.loaded} ${change.installed}`}>
              <Change change={change} />
            </li>
          ))}
        </ul>
        <Hosts hosts={restart.hosts} />
        {!restart.complete && <p className="mb-4 text-sm text-warn">{t('admin.jobs.away')}</p>}
        <Manual restart={restart} />
        {restart.available && <RestartButton going={going} />}
      </Card>
    </div>
  )
}

function Change({ change: { distribution: name, loaded, installed } }: { change: PluginChangeOut }) {
  const { t } = useTranslation()
  if (installed === null) return t('admin.plugins.restart.removed', { name, version: loaded })
  if (loaded === null) return t('admin.plugins.restart.installed', { name, version: installed })
  if (loaded === installed) return t('admin.plugins.restart.again', { name, version: installed })
  return t('admin.plugins.restart.changed', { name, loaded, installed })
}

function Hosts({ hosts }: { hosts: readonly HostRestartOut[] }) {
  return (
    <ul aria-live="polite" className="mb-5 space-y-2 text-sm">
      {hosts.map((host) => (
        <li key={host.host}>
          <Host host={host} />
        </li>
      ))}
    </ul>
  )
}

function Host({ host: { host, state, done, of, error, at } }: { host: HostRestartOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const figures = { host, done: format.number(done), of: format.number(of) }
  if (state === 'running')
    return (
      <p className="flex items-start gap-2.5 text-ink-2">
        <LoaderCircle aria-hidden className="mt-0.5 size-4 shrink-0 motion-safe:animate-spin" />
        {t('admin.plugins.restart.running', figures)}
      </p>
    )
  if (state === 'done')
    return (
      <p className="flex items-start gap-2.5 text-ok">
        <Check aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t('admin.plugins.restart.done', { host, ago: format.ago(at) })}
      </p>
    )
  return (
    <div className="flex items-start gap-2.5 text-danger">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p>{t('admin.plugins.restart.failed', figures)}</p>
        <bdi className="mt-1 block text-xs break-words">{error}</bdi>
      </div>
    </div>
  )
}

function Manual({ restart: { manual } }: { restart: RestartOut }) {
  const { t } = useTranslation()
  if (manual.length === 0) return null
  return (
    <div className="mb-5 text-sm">
      <p>{t('admin.plugins.restart.manual')}</p>
      <ul className="mt-2 mb-3 text-xs text-ink-3">
        {manual.map(({ name, role }) => (
          <li key={`${role} ${name}`} className="break-words">
            {t(`admin.jobs.role.${role}`)} · <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <pre dir="ltr" className="overflow-x-auto rounded-md bg-sunken p-3 text-xs">
        {COMMANDS.join('\n')}
      </pre>
    </div>
  )
}

function RestartButton({ going }: { going: boolean }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const begin = useMutation({
    mutationFn: () => beginRestart({ throwOnError: true }),
    onError: fail,
    onSettled: () => queryClient.invalidateQueries({ queryKey: restartQuery().queryKey }),
  })
  return (
    <Button pending={begin.isPending || going} onClick={() => begin.mutate()}>
      {!(begin.isPending || going) && <RotateCw />}
      {t('admin.plugins.restart.action')}
    </Button>
  )
}
