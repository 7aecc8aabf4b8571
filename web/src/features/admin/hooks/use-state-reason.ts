import { useTranslation } from 'react-i18next'
import type { InstanceOut } from '@/api/generated'
import { i18n } from '@/i18n'
import type { State } from '../types'

/** Why an instance is in its state: in our words where it is one of the contract's errors, else in the server's. */
export function useStateReason({ reason }: Pick<InstanceOut, 'reason'>, state: State): string {
  const { t } = useTranslation()
  if (state === 'ready') return ''
  const key = `admin.code.${reason}`
  return reason && i18n.exists(key) ? t(key as 'admin.code.unavailable') : reason
}
