import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { FormOut } from '@/api/generated'
import { getTradeOptions } from '@/api/generated/@tanstack/react-query.gen'

/** What a trade form is called: `Paperback, Amazon KDP`. */
export function useFormName() {
  const { t } = useTranslation()
  const { data: printers } = useQuery(getTradeOptions())
  return ({ kind, printer }: Pick<FormOut, 'kind' | 'printer'>) => {
    const form = t(`books.kinds.${kind}`)
    const name = printers?.find(({ id }) => id === printer)?.name ?? printer
    return printer ? t('books.kindAt', { form, printer: name }) : form
  }
}
