import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MethodOut } from '@/api/generated'
import { listSignInMethodsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { safePath } from '@/lib/safe-path'
import { Button } from '@/ui/button'
import { EmptyState, ErrorState, Spinner } from '@/ui/states'
import { FormAlert } from './form-alert'
import { PasswordForm } from './password-form'
import { Threshold } from './threshold'

type Props = {
  redirect?: string
  registering: boolean
  /** Whether the reader comes back from a provider that did not let them in. */
  refused: boolean
}

export function SignIn({ redirect, registering, refused }: Props) {
  const { t } = useTranslation()
  const target = safePath(redirect)
  return (
    <Threshold
      title={t(registering ? 'auth.registerTitle' : 'auth.signInTitle')}
      lead={t(registering ? 'auth.registerLead' : 'auth.signInLead')}
    >
      {refused && (
        <div className="mb-5">
          <FormAlert>{t('auth.refused')}</FormAlert>
        </div>
      )}
      <Methods registering={registering} target={target} redirect={redirect} />
    </Threshold>
  )
}

function Methods({ registering, target, redirect }: { registering: boolean; target: string; redirect?: string }) {
  const { t } = useTranslation()
  const { data: methods, isPending, isError, refetch } = useQuery(listSignInMethodsOptions())
  if (isPending) return <Spinner className="py-16" />
  if (isError) {
    return (
      <ErrorState
        className="py-8"
        title={t('errors.unreachable.title')}
        body={t('errors.unreachable.body')}
        action={<Button onClick={() => void refetch()}>{t('errors.retry')}</Button>}
      />
    )
  }
  if (methods.length === 0) return <EmptyState title={t('auth.none.title')} body={t('auth.none.body')} />
  const form = methods.find((method) => method.kind === 'form')
  const redirects = methods.filter((method) => method.kind === 'redirect')
  return (
    <>
      {form && (
        <>
          {/* the session is new: a fresh page leaves nothing of the signed-out one behind */}
          <PasswordForm registering={registering} onDone={() => window.location.assign(target)} />
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
      {form && redirects.length > 0 && (
        <div className="my-6 flex items-center gap-4 text-xs text-ink-3">
          <span className="h-px flex-1 bg-line" />
          {t('auth.or')}
          <span className="h-px flex-1 bg-line" />
        </div>
      )}
      <div className="space-y-3">
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
