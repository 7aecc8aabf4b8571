import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { confirmEmail } from '@/api/generated'
import { userQuery, useUser } from '@/api/queries/site'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { ExpiredLink } from './components/expired-link'
import { SignInLayout } from './components/sign-in-layout'

/** Confirms an address with the token of a mailed link. A click, because mail programs open links by themselves. */
export function ConfirmEmail({ token }: { token: string | null }) {
  const { t } = useTranslation()
  const user = useUser()
  const queryClient = useQueryClient()
  const confirm = useMutation({
    mutationFn: (link: string) => confirmEmail({ body: { token: link }, throwOnError: true }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: userQuery().queryKey }),
  })
  const onward = user ? (
    <Button asChild>
      <Link to="/account">{t('auth.confirm.toAccount')}</Link>
    </Button>
  ) : (
    <Button asChild>
      <a href="/api/login?redirect=/account">{t('auth.signIn')}</a>
    </Button>
  )
  const expired = confirm.error instanceof ApiError && confirm.error.code === 'link_expired'
  if (!token || expired) return <ExpiredLink incomplete={!token} hint={t('auth.confirm.askAgain')} action={onward} />
  if (confirm.isSuccess) {
    return (
      <SignInLayout title={t('auth.confirm.doneTitle')} lead={t('auth.confirm.doneLead')}>
        <div role="status">{onward}</div>
      </SignInLayout>
    )
  }
  return (
    <SignInLayout title={t('auth.confirm.title')} lead={t('auth.confirm.lead')}>
      <div className="space-y-5">
        {confirm.isError && <FormAlert>{errorMessage(confirm.error)}</FormAlert>}
        <Button
          size="lg"
          variant="accent"
          className="w-full"
          pending={confirm.isPending}
          onClick={() => confirm.mutate(token)}
        >
          {t('auth.confirm.submit')}
        </Button>
      </div>
    </SignInLayout>
  )
}
