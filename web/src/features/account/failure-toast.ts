import { i18n } from '@/i18n'
import { toast } from '@/ui/overlay/toast-store'

/** Says that the server could not do it, in general words. */
export function showFailureToast(): void {
  toast({ title: i18n.t('account.failed.title'), description: i18n.t('account.failed.body'), variant: 'destructive' })
}
