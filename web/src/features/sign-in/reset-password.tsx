import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError } from '@/api/errors/api-error'
import { resetPassword } from '@/api/generated'
import { newPasswordSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { Field, PasswordInput } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { ExpiredLink } from './components/expired-link'
import { SignInLayout } from './components/sign-in-layout'

const resetSchema = v.object({ password: newPasswordSchema })

/** Chooses a new password with the token of a mailed link. `unconfirmed`: one to sign in was asked for. */
export function ResetPassword({ token, unconfirmed }: { token: string | null; unconfirmed: boolean }) {
  const { t } = useTranslation()
  const [expired, setExpired] = useState(false)
  if (!token || expired) {
    return (
      <ExpiredLink
        incomplete={!token}
        action={
          <Button asChild>
            <Link to="/forgot">{t('auth.reset.askAgain')}</Link>
          </Button>
        }
      />
    )
  }
  return (
    <SignInLayout title={t('auth.reset.title')} lead={t(unconfirmed ? 'auth.reset.unconfirmed' : 'auth.reset.lead')}>
      <ResetForm token={token} onExpired={() => setExpired(true)} />
    </SignInLayout>
  )
}

function ResetForm({ token, onExpired }: { token: string; onExpired: () => void }) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: resetSchema,
    values: { password: '' },
    fields: ['password'],
    submit: ({ password }) => resetPassword({ body: { token, password }, throwOnError: true }),
    // the session is new: a fresh page leaves nothing of the signed-out one behind
    onSuccess: ({ data }) => window.location.assign('secondStep' in data ? '/sign-in?step=second-factor' : '/'),
    ignore: (error) => {
      const expired = error instanceof ApiError && error.code === 'link_expired'
      if (expired) onExpired()
      return expired
    },
  })

  return (
    <form noValidate className="space-y-5" onSubmit={onSubmit}>
      {formError && <FormAlert>{formError}</FormAlert>}
      <Field label={t('auth.reset.password')} hint={t('auth.passwordHint')} error={fieldError('password')}>
        {(aria) => <PasswordInput autoComplete="new-password" {...aria} {...form.register('password')} />}
      </Field>
      <Button type="submit" size="lg" variant="accent" className="w-full" pending={isPending}>
        {t('auth.reset.submit')}
      </Button>
    </form>
  )
}
