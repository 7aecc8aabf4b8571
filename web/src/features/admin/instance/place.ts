import type { InstanceOut, ProviderOut, RouteOut } from '@/api/generated'

/**
 * What a new instance meets in its kind: the one that does the work now, `none` where there is none yet, or `offered`
 * where people choose themselves. `kept` says that the others keep what they have, instead of standing in.
 */
export type Rival = { label: string; kept: boolean; offline: boolean } | 'none' | 'offered'

/** Who a new instance of a provider stands beside. */
export function rivalOf(
  { kind }: Pick<ProviderOut, 'kind'>,
  routes: readonly RouteOut[],
  instances: readonly InstanceOut[],
  providers: readonly ProviderOut[],
): Rival {
  if (kind === 'payment' || kind === 'signin') return 'offered'
  const order = routes.find((route) => route.kind === kind)?.instances ?? []
  const active = order
    .map((id) => instances.find((instance) => instance.id === id))
    .find((found) => found !== undefined)
  if (!active) return 'none'
  const offline = providers.some(({ kind: of, id, offline }) => of === kind && id === active.provider && offline)
  return { label: active.label, kept: kind === 'storage', offline }
}

/** Whether a new instance is put first unless told otherwise: before one of ours that is there from the start, yes. */
export const startsFirst = (provider: ProviderOut, rival: Rival): boolean =>
  typeof rival === 'object' && !rival.kept && rival.offline && !provider.offline
