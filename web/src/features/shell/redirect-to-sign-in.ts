import { i18n } from '@/i18n'
import { toast } from '@/ui/overlay/toast-store'

const REDIRECT_AFTER = 500
/** What shows toasts may not be loadable; the way to sign-in is open all the same. */
const REDIRECT_AT_LAST = 5_000

let leaving: ReturnType<typeof setTimeout> | undefined

/** Shows a toast that the session ended, then goes to sign-in. Many failed calls at once count as one. */
export function redirectToSignIn(): void {
  if (leaving) return
  leaving = setTimeout(leave, REDIRECT_AT_LAST)
  toast({
    title: i18n.t('errors.unauthorized.title'),
    description: i18n.t('errors.unauthorized.body'),
    variant: 'destructive',
    // from here on it can be read
    onShown: () => {
      if (!leaving) return
      clearTimeout(leaving)
      leaving = setTimeout(leave, REDIRECT_AFTER)
    },
  })
}

function leave(): void {
  leaving = undefined
  window.location.assign('/api/login')
}

/** Stays on the page after all. */
export function cancelRedirectToSignIn(): void {
  clearTimeout(leaving)
  leaving = undefined
}
