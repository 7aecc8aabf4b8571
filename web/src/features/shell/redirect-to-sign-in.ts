import { i18n } from '@/i18n'
import { toast } from '@/ui/overlay/toast-store'

const REDIRECT_AFTER = 500

let leaving: ReturnType<typeof setTimeout> | undefined

/** Shows a toast that the session ended, then goes to sign-in. Many failed calls at once count as one. */
export function redirectToSignIn(): void {
  if (leaving) return
  toast({
    title: i18n.t('errors.unauthorized.title'),
    description: i18n.t('errors.unauthorized.body'),
    variant: 'destructive',
  })
  leaving = setTimeout(() => {
    leaving = undefined
    window.location.assign('/api/login')
  }, REDIRECT_AFTER)
}

/** Stays on the page after all. */
export function cancelRedirectToSignIn(): void {
  clearTimeout(leaving)
  leaving = undefined
}
