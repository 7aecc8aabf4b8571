import { useTranslation } from 'react-i18next'
import { Button } from '../../button'
import { ErrorState } from '../../states'

/** In the place of a vendor's form that did not load. */
export function Unloaded({ onRetry, pending }: { onRetry: () => void; pending?: boolean }) {
  const { t } = useTranslation()
  return (
    <ErrorState
      className="py-6"
      title={t('payments.unloaded.title')}
      body={t('payments.unloaded.body')}
      action={
        <Button variant="outline" pending={pending} onClick={onRetry}>
          {t('errors.retry')}
        </Button>
      }
    />
  )
}
