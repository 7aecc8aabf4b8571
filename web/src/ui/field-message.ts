import { useTranslation } from 'react-i18next'
import type { MessageKey } from '@/lib/credentials'

/** Turns what stands at a field into words: a key of ours, or the server's own sentence. */
export function useFieldMessage() {
  const { t } = useTranslation()
  return (error: { type?: unknown; message?: unknown } | undefined): string | undefined => {
    if (typeof error?.message !== 'string') return undefined
    return error.type === 'server' ? error.message : t(error.message as MessageKey)
  }
}
