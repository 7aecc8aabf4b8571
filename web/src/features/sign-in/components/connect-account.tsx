import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { codeMessage } from '@/api/errors/error-message'
import { listSignInMethodsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { Spinner } from '@/ui/states'
import { SignInLayout } from './sign-in-layout'

type Props = { email: string; error: string; methodId?: string; target: string }

/** For a reader who is signed in and came from a provider: connect it with the account, or learn why it did not work. */
export function ConnectAccount({ email, error, methodId, target }: Props) {
  const { t } = useTranslation()
  const { data: methods, isPending } = useQuery(listSignInMethodsOptions())
  if (isPending) return <Spinner className="py-16" />
  const method = methods?.find(({ id, kind }) => id === methodId && kind === 'redirect')
  if (error === 'link_required' && method) {
    const { id, label } = method
    return (
      <SignInLayout title={t('auth.connect.title', { label })} lead={t('auth.connect.lead', { email, label })}>
        <div className="space-y-3">
          <Button asChild variant="accent" size="lg" className="w-full">
            <a href={`/api/auth/${id}/start?connect=true&redirect=${encodeURIComponent(target)}`}>
              {t('auth.connect.action', { label })}
            </a>
          </Button>
          <Button asChild variant="outline" size="lg" className="w-full">
            <a href={target}>{t('auth.connect.later')}</a>
          </Button>
        </div>
      </SignInLayout>
    )
  }
  return (
    <SignInLayout title={t('auth.signedIn.title')} lead={t('auth.signedIn.lead', { email })}>
      <div className="space-y-5">
        <FormAlert>{codeMessage(error) ?? t('auth.refused')}</FormAlert>
        <Button asChild variant="outline" size="lg" className="w-full">
          <a href={target}>{t('auth.signedIn.continue')}</a>
        </Button>
      </div>
    </SignInLayout>
  )
}
