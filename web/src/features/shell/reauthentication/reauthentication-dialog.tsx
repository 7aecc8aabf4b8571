import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { errorMessage } from '@/api/errors/error-message'
import { reauthenticate, signOut } from '@/api/generated'
import { settleReauthentication } from '@/api/http/reauthentication'
import { useUser } from '@/api/queries/site'
import { currentPasswordSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { Field, PasswordInput } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'

const passwordSchema = v.object({ password: currentPasswordSchema })
const cancel = () => settleReauthentication(false)

/** Asks for the password, or for a new sign-in where there is none. */
export default function ReauthenticationDialog() {
  const { t } = useTranslation()
  const hasPassword = useUser()?.hasPassword
  return (
    <Dialog open onOpenChange={(open) => open || cancel()}>
      <DialogContent
        title={t('auth.reauthentication.title')}
        description={t(hasPassword ? 'auth.reauthentication.password' : 'auth.reauthentication.signIn')}
      >
        {hasPassword ? <PasswordForm /> : <SignInAgain />}
      </DialogContent>
    </Dialog>
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
