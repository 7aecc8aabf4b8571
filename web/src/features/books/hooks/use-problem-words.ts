import { useTranslation } from 'react-i18next'
import type { EditionProblem } from '@/api/generated'
import { useFormat } from '@/i18n/format'

/** What an edition still lacks, in words. */
export function useProblemWords() {
  const { t, i18n } = useTranslation()
  const { measure } = useFormat()
  return ({ code, values }: EditionProblem) => {
    const written = Object.entries(values).map(([name, value]) => [name, measure(value)])
    const numbers = Object.fromEntries(written) as { count?: number }
    const key = `errors.field.${code}`
    return i18n.exists(key) ? t(key as 'errors.field.required', numbers) : t('books.editions.needsMore')
  }
}
