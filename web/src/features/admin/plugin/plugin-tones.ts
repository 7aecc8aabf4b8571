import type { PluginOut } from '@/api/generated'
import type { Tone } from '@/ui/status-pill'

/** How good the state of a plugin is. */
export const pluginTones: Record<PluginOut['state'], Tone> = {
  loaded: 'ok',
  broken: 'danger',
  incompatible: 'danger',
  blocked: 'quiet',
  missing: 'danger',
}
