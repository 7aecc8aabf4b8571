import type { DraftIn, InstanceOut, ProviderOut } from '@/api/generated'
import type { Changes } from './setting-values'

/** Ids the server takes; one that is left out is made from the name. */
export const ID_PATTERN = /^[a-z][a-z0-9-]{1,38}$/
/** Addresses below /admin/providers that are no instance. */
export const RESERVED_IDS = ['new']

/** What is tried before it is saved. */
export function instanceDraft(provider: ProviderOut, instance: InstanceOut | undefined, settings: Changes): DraftIn {
  return { kind: provider.kind, provider: provider.id, settings, ...(instance && { id: instance.id }) }
}

/** The server's objections by setting; it may name a setting with or without `settings.` in front. */
export function messagesBySetting(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, said]) => [name.replace(/^settings\./, ''), said]))
}
