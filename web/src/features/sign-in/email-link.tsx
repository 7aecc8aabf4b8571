import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { requestEmailLink, signInWithEmailLink } from '@/api/generated'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { ExpiredLink } from './components/expired-link'
import { RequestLink } from './components/request-link'
import { SignInLayout } from './components/sign-in-layout'

/** Signing in with a mailed link: without its token this asks for one. */
export function EmailLink({ token }: { token: string | null }) {
  if (token) return <UseLink token={token} />
  return (
    <RequestLink
      texts="auth.emailLink"
      request={(email) => requestEmailLink({ body: { email }, throwOnError: true })}
    />
  )
}

/** A click, because mail programs open links by themselves. */
function UseLink({ token }: { token: string }) {
  const { t } = useTranslation()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => signInWithEmailLink({ body: { token }, throwOnError: true }),
    // the session is new: a fresh page leaves nothing of the signed-out one behind
    onSuccess: ({ data }) => window.location.assign('secondStep' in data ? '/sign-in?step=second-factor' : '/'),
  })
  if (error instanceof ApiError && error.code === 'link_expired') {
    return (
      <ExpiredLink
        incomplete={false}
        action={
          <Button asChild>
            {/* a new address: the fragment with the dead token goes */}
            <Link to="/email-link" hash="">
              {t('auth.reset.askAgain')}
            </Link>
          </Button>
        }
      />
    )
  }
  return (
    <SignInLayout title={t('auth.emailLink.useTitle')} lead={t('auth.emailLink.useLead')}>
      <div className="space-y-5">
        {error && <FormAlert>{errorMessage(error)}</FormAlert>}
        <Button size="lg" variant="accent" className="w-full" pending={isPending || isSuccess} onClick={() => mutate()}>
          {t('auth.signIn')}
        </Button>
      </div>
    </SignInLayout>
  )
}
