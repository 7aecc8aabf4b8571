import { useTranslation } from 'react-i18next'
import { StatusPill, type Tone } from '@/ui/status-pill'
import type { State } from '../types'

const tones: Record<State, Tone> = {
  ready: 'ok',
  degraded: 'warn',
  down: 'danger',
  needs_attention: 'danger',
  draining: 'warn',
  disabled: 'quiet',
  missing: 'danger',
}

export function StatePill({ state }: { state: State }) {
  const { t } = useTranslation()
  return <StatusPill tone={tones[state]}>{t(`admin.state.${state}`)}</StatusPill>
}
