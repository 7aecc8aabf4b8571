import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { HealthOut, InstanceOut, RouteOut } from '@/api/generated'
import { Switch } from '@/ui/form/switch'
import { useSaveFailoverOrder } from '../mutations'
import { AddInstanceDialog } from './add-instance-dialog'
import { InstanceRow } from './instance-row'
import { OrderList } from './order-list'

type Props = {
  route: RouteOut
  /** All instances of the kind. */
  instances: readonly InstanceOut[]
  health: ReadonlyMap<string, HealthOut>
  healthPending: boolean
}

/** The instances of one kind: those in use in their order, then the others. */
export function KindSection({ route, instances, health, healthPending }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  const { kind } = route
  const save = useSaveFailoverOrder(kind)
  const byId = new Map(instances.map((instance) => [instance.id, instance]))
  const used = route.instances.filter((id) => byId.has(id))
  const others = instances.filter(({ id }) => !route.instances.includes(id))
  const order = (ids: string[]) => save.mutate({ instances: ids })

  function row(instance: InstanceOut | undefined, place: number | undefined) {
    if (!instance) return null
    const { id } = instance
    return (
      <InstanceRow
        instance={instance}
        role={place === undefined ? undefined : t(`admin.role.${roleAt(kind, place)}`)}
        health={health.get(id)}
        pending={healthPending}
        onRoute={(inRoute) =>
          order(inRoute ? [...route.instances, id] : route.instances.filter((other) => other !== id))
        }
      />
    )
  }

  return (
    <section aria-labelledby={heading}>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 id={heading} className="text-lg font-medium">
            {t(`admin.kind.${kind}`)}
          </h2>
          <p className="mt-0.5 max-w-text text-note text-ink-2">{t(`admin.kindLead.${kind}`)}</p>
        </div>
        <AddInstanceDialog kind={kind} />
      </div>
      <div className="overflow-hidden rounded-lg bg-surface shadow-1">
        {used.length > 0 ? (
          <OrderList
            label={t('admin.providers.order.label', { kind: t(`admin.kind.${kind}`) })}
            entries={used.map((id) => ({ id, label: byId.get(id)?.label ?? id }))}
            onOrder={order}
          >
            {(id) => row(byId.get(id), used.indexOf(id))}
          </OrderList>
        ) : (
          <p className="p-6 text-center text-sm text-ink-2">{t('admin.providers.nothingUsed')}</p>
        )}
        {others.length > 0 && (
          <div className="border-t border-line bg-sunken">
            <h3 className="px-4 pt-3 text-xs font-medium text-ink-2">{t('admin.providers.others')}</h3>
            <ul className="divide-y divide-line">
              {others.map((instance) => (
                <li key={instance.id} className="p-4">
                  {row(instance, undefined)}
                </li>
              ))}
            </ul>
          </div>
        )}
        {kind === 'image' && (
          <div className="flex items-start gap-3 border-t border-line p-4">
            <Switch
              id={`${heading}-choice`}
              aria-describedby={`${heading}-choice-hint`}
              checked={route.userChoice}
              onCheckedChange={(userChoice) => save.mutate({ instances: route.instances, userChoice })}
            />
            <div>
              <label htmlFor={`${heading}-choice`} className="text-sm font-medium">
                {t('admin.providers.userChoice.label')}
              </label>
              <p id={`${heading}-choice-hint`} className="mt-0.5 text-xs text-ink-2">
                {t('admin.providers.userChoice.hint')}
              </p>
            </div>
          </div>
        )}
      </div>
    </section>
  )
}

/** What a place in the order means. People choose how they pay and sign in themselves; files stay where they are. */
function roleAt(kind: RouteOut['kind'], place: number): 'active' | 'fallback' | 'offered' | 'kept' {
  if (kind === 'payment' || kind === 'signin') return 'offered'
  if (place === 0) return 'active'
  return kind === 'storage' ? 'kept' : 'fallback'
}
