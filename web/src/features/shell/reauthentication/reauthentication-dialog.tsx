import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { errorMessage } from '@/api/errors/error-message'
import { beginReauthenticationPasskey, reauthenticate, signOut } from '@/api/generated'
import { getSecondFactorsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { settleReauthentication } from '@/api/http/reauthentication'
import { useUser } from '@/api/queries/site'
import { currentPasswordSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { Field, PasswordInput } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { SecondFactorForm } from '@/ui/second-factor/second-factor-form'
import { Spinner } from '@/ui/states'

const passwordSchema = v.object({ password: currentPasswordSchema })
const cancel = () => settleReauthentication(false)

/** Asks for the second factor; of readers without one for the password, or for a new sign-in where there is none. */
export default function ReauthenticationDialog() {
  const { t } = useTranslation()
  const user = useUser()
  const [asked, Form] = user?.hasSecondFactor
    ? (['factor', FactorForm] as const)
    : user?.hasPassword
      ? (['password', PasswordForm] as const)
      : (['signIn', SignInAgain] as const)
  return (
    <Dialog open onOpenChange={(open) => open || cancel()}>
      <DialogContent title={t('auth.reauthentication.title')} description={t(`auth.reauthentication.${asked}`)}>
        <Form />
      </DialogContent>
    </Dialog>
  )
}

function FactorForm() {
  const { t } = useTranslation()
  const { data, error } = useQuery(getSecondFactorsOptions())
  if (error) return <FormAlert>{errorMessage(error)}</FormAlert>
  if (!data) return <Spinner className="py-8" />
  return (
    <SecondFactorForm
      factors={[
        ...(data.app ? (['totp'] as const) : []),
        ...(data.passkeys.length > 0 ? (['passkey'] as const) : []),
        ...(data.recoveryCodesLeft > 0 ? (['recovery_code'] as const) : []),
      ]}
      submit={(body) => reauthenticate({ body, throwOnError: true })}
      passkeyOptions={async () => (await beginReauthenticationPasskey({ throwOnError: true })).data.options}
      onSuccess={() => settleReauthentication(true)}
      submitLabel={t('auth.signedIn.continue')}
      beside={
        <Button variant="outline" onClick={cancel}>
          {t('common.cancel')}
        </Button>
      }
    />
  )
}

function PasswordForm() {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: passwordSchema,
    values: { password: '' },
    fields: ['password'],
    submit: (body) => reauthenticate({ body, throwOnError: true }),
    onSuccess: () => settleReauthentication(true),
  })
  return (
    <form noValidate className="space-y-5" onSubmit={onSubmit}>
      {formError && <FormAlert>{formError}</FormAlert>}
      <Field label={t('account.currentPassword')} error={fieldError('password')}>
        {(aria) => <PasswordInput autoComplete="current-password" {...aria} {...form.register('password')} />}
      </Field>
      <DialogFooter>
        <Button variant="outline" onClick={cancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" pending={isPending}>
          {t('auth.signedIn.continue')}
        </Button>
      </DialogFooter>
    </form>
  )
}

/** Who is signed in is not asked again: this session ends, and the next one comes back to this page. */
function SignInAgain() {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => signOut({ throwOnError: true }),
    onSuccess: () => {
      const { pathname, search } = window.location
      window.location.assign(`/api/login?redirect=${encodeURIComponent(pathname + search)}`)
    },
  })
  return (
    <>
      {error && <FormAlert>{errorMessage(error)}</FormAlert>}
      <DialogFooter>
        <Button variant="outline" onClick={cancel}>
          {t('common.cancel')}
        </Button>
        <Button pending={isPending} onClick={() => mutate()}>
          {t('auth.signIn')}
        </Button>
      </DialogFooter>
    </>
  )
}
