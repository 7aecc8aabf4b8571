import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/states'

type Props = { filter: object; onClear: () => void; title: string; body: string }

/** A list without rows: nothing is there, or nothing that passes the filter, which can be cleared then. */
export function EmptyList({ filter, onClear, title, body }: Props) {
  const { t } = useTranslation()
  if (!Object.values(filter).some(Boolean)) return <EmptyState title={title} body={body} />
  const clear = (
    <Button variant="outline" onClick={onClear}>
      {t('admin.filter.clear')}
    </Button>
  )
  return <EmptyState title={t('admin.filter.none')} action={clear} />
}
