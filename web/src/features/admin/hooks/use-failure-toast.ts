import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { toast } from '@/ui/overlay/toast-store'

/** Returns a function that shows a failure in a toast; the end of a session has a toast of its own. */
export function useFailureToast(title?: string) {
  const { t } = useTranslation()
  return (error: unknown) => {
    if (isUnauthorized(error)) return
    toast({ title: title ?? t('admin.failed'), description: errorMessage(error), variant: 'destructive' })
  }
}
