import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { codeMessage } from '@/api/errors/error-message'
import type { MethodOut, SecondStepOut, UserOut } from '@/api/generated'
import { getSecondStepQueryKey, listSignInMethodsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries/site'
import { canHavePasskeys } from '@/lib/browser/passkeys'
import { safeRedirect } from '@/lib/safe-redirect'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { QueryBoundary } from '@/ui/query/query-boundary'
import { EmptyState, ErrorState, Spinner } from '@/ui/states'
import { ConnectAccount } from './components/connect-account'
import { PasskeyButton } from './components/passkey-button'
import { PasswordForm } from './components/password-form'
import { SignInLayout } from './components/sign-in-layout'

type Props = {
  redirect?: string
  registering: boolean
  /** Why a provider did not let the reader in: a code of ours. */
  error?: string
  /** The way of signing in that the error is about. */
  method?: string
}

export function SignIn({ redirect, registering, error, method }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const target = safeRedirect(redirect)
  if (user && error) return <ConnectAccount email={user.email} error={error} methodId={method} target={target} />
  return (
    <SignInLayout
      title={t(registering ? 'auth.registerTitle' : 'auth.signInTitle')}
      lead={t(registering ? 'auth.registerLead' : 'auth.signInLead')}
    >
      {error && (
        <div className="mb-5">
          <FormAlert>{codeMessage(error) ?? t('auth.refused')}</FormAlert>
        </div>
      )}
      <QueryBoundary
        skeleton={<Spinner className="py-16" />}
        error={({ isFetching, refetch }) => (
          <ErrorState
            className="py-8"
            title={t('errors.unreachable.title')}
            body={t('errors.unreachable.body')}
            action={
              <Button pending={isFetching} onClick={() => void refetch()}>
                {t('errors.retry')}
              </Button>
            }
          />
        )}
      >
        <Methods registering={registering} target={afterwards(target, error, method)} redirect={redirect} />
      </QueryBoundary>
    </SignInLayout>
  )
}

/** Where to go once signed in: first back here when there is something to connect. */
function afterwards(target: string, error: string | undefined, method: string | undefined): string {
  if (error !== 'link_required' || !method) return target
  return `/sign-in?${new URLSearchParams({ error, method, redirect: target })}`
}

function Methods({ registering, target, redirect }: { registering: boolean; target: string; redirect?: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: methods } = useSuspenseQuery(listSignInMethodsOptions())
  if (methods.length === 0) return <EmptyState title={t('auth.none.title')} body={t('auth.none.body')} />
  function goOn(result: UserOut | SecondStepOut) {
    // the session is new: a fresh page leaves nothing of the signed-out one behind
    if (!('secondStep' in result)) return window.location.assign(target)
    queryClient.setQueryData(getSecondStepQueryKey(), result)
    return navigate({ to: '/sign-in', search: { redirect: target, step: 'second-factor' } })
  }
  const form = methods.find((method) => method.kind === 'form')
  const redirects = methods.filter((method) => method.kind === 'redirect')
  const withPasskey = !registering && canHavePasskeys()
  const withLink = !registering && methods.some((method) => method.kind === 'email_link')
  return (
    <>
      {form && (
        <>
          <PasswordForm registering={registering} onDone={goOn} />
          {(form.registration || registering) && (
            <p className="mt-5 text-center text-sm text-ink-2">
              {t(registering ? 'auth.haveAccount' : 'auth.noAccount')}{' '}
              <Link
                to="/sign-in"
                search={{ redirect, register: registering ? undefined : true }}
                replace
                className="font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
              >
                {t(registering ? 'auth.signIn' : 'auth.register')}
              </Link>
            </p>
          )}
        </>
      )}
      {form && (redirects.length > 0 || withPasskey || withLink) && (
        <div className="my-6 flex items-center gap-4 text-xs text-ink-3">
          <span className="h-px flex-1 bg-line" />
          {t('auth.or')}
          <span className="h-px flex-1 bg-line" />
        </div>
      )}
      <div className="space-y-3">
        {withPasskey && <PasskeyButton onDone={() => window.location.assign(target)} />}
        {withLink && (
          <Button asChild variant="outline" size="lg" className="w-full">
            <Link to="/email-link">
              <Mail aria-hidden />
              {t('auth.emailLink.button')}
            </Link>
          </Button>
        )}
        {redirects.map((method) => (
          <Button key={method.id} asChild variant="outline" size="lg" className="w-full">
            <a href={startUrl(method, target)}>{t('auth.continueWith', { label: method.label })}</a>
          </Button>
        ))}
      </div>
    </>
  )
}

const startUrl = (method: MethodOut, target: string) =>
  `/api/auth/${method.id}/start?redirect=${encodeURIComponent(target)}`
