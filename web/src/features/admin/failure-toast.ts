import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import { sentenceOf } from '@/api/sentence'
import { toast } from '@/ui/toast-store'

/** Says that something was not done, in the words of `title` if there are any; the end of a session has its own. */
export function useFailureToast(title?: string) {
  const { t } = useTranslation()
  return (error: unknown) => {
    if (isUnauthorized(error)) return
    toast({ title: title ?? t('admin.failed'), description: sentenceOf(error), variant: 'destructive' })
  }
}
