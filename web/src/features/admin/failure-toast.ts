import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import { sentenceOf } from '@/api/sentence'
import { toast } from '@/ui/toast-store'

/** Says that something was not done; the end of a session has its own words elsewhere. */
export function useFailureToast() {
  const { t } = useTranslation()
  return (error: unknown) => {
    if (isUnauthorized(error)) return
    toast({ title: t('admin.failed'), description: sentenceOf(error), variant: 'destructive' })
  }
}
