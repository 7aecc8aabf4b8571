import { useTranslation } from 'react-i18next'
import type { Finding } from '@/api/generated'
import { useFormat } from '@/i18n/format'

/** What a finding says, with its numbers as the language writes them; undefined for a rule without words. */
export function useFindingWords() {
  const { t, i18n } = useTranslation()
  const { decimal } = useFormat()
  return ({ rule, outcome, params = {} }: Finding): string | undefined => {
    const values = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? decimal(value) : value]),
    ) as { count?: number }
    const known = [`books.rules.${rule}.${outcome}`, `books.rules.${rule}`].find((key) => i18n.exists(key))
    return known && t(known as 'books.title', values)
  }
}
