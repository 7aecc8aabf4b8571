import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { beginSecondStepPasskey, completeSignIn } from '@/api/generated'
import { getSecondStepOptions } from '@/api/generated/@tanstack/react-query.gen'
import { safeRedirect } from '@/lib/safe-redirect'
import { Button } from '@/ui/button'
import { SecondFactorForm } from '@/ui/second-factor/second-factor-form'
import { ErrorState, Spinner } from '@/ui/states'
import { SignInLayout } from './components/sign-in-layout'

/** The second step of a sign-in: the browser did the first one, and its cookie says so. */
export function SecondStep({ redirect }: { redirect?: string }) {
  const { t } = useTranslation()
  return (
    <SignInLayout title={t('secondFactor.step.title')} lead={t('secondFactor.step.lead')}>
      <Waiting redirect={redirect} />
    </SignInLayout>
  )
}

function Waiting({ redirect }: { redirect?: string }) {
  const { t } = useTranslation()
  const { data, error, isFetching, refetch } = useQuery({ ...getSecondStepOptions(), retry: false })
  const back = (
    <Button asChild variant="ghost">
      <Link to="/sign-in" search={{ redirect }} replace>
        {t('secondFactor.step.back')}
      </Link>
    </Button>
  )
  if (error) {
    const over = error instanceof ApiError && error.code === 'sign_in_expired'
    return (
      <ErrorState
        className="py-8"
        title={t(over ? 'secondFactor.step.expired' : 'errors.unreachable.title')}
        body={errorMessage(error)}
        action={
          over ? (
            back
          ) : (
            <Button pending={isFetching} onClick={() => void refetch()}>
              {t('errors.retry')}
            </Button>
          )
        }
      />
    )
  }
  if (!data) return <Spinner className="py-16" />
  return (
    <SecondFactorForm
      factors={data.secondStep}
      submit={(body) => completeSignIn({ body, throwOnError: true })}
      passkeyOptions={async () => (await beginSecondStepPasskey({ throwOnError: true })).data.options}
      // the session is new: a fresh page leaves nothing of the signed-out one behind
      onSuccess={() => window.location.assign(safeRedirect(redirect))}
      submitLabel={t('auth.signIn')}
      beside={back}
    />
  )
}
