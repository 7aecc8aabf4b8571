import { useTranslation } from 'react-i18next'
import { claimSetup } from '@/api/generated'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { EmptyState } from '@/ui/states'
import { EmailAndPassword } from './components/account-fields'
import { SignInLayout } from './components/sign-in-layout'
import { setupSchema } from './schemas'

/** Makes the first administrator of a new installation, with the one-time token of the link. */
export function Setup({ token }: { token: string | null }) {
  const { t } = useTranslation()
  return (
    <SignInLayout title={t('setup.title')} lead={t('setup.lead')}>
      {token ? (
        <SetupForm token={token} />
      ) : (
        <EmptyState title={t('setup.incomplete.title')} body={t('setup.incomplete.body')} />
      )}
    </SignInLayout>
  )
}

function SetupForm({ token }: { token: string }) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: setupSchema,
    values: { email: '', password: '' },
    fields: ['email', 'password'],
    submit: (credentials) => claimSetup({ body: { token, ...credentials }, throwOnError: true }),
    onSuccess: () => window.location.assign('/'),
  })

  return (
    <form noValidate className="space-y-5" onSubmit={onSubmit}>
      {formError && <FormAlert>{formError}</FormAlert>}
      <EmailAndPassword register={form.register} fieldError={fieldError} fresh />
      <Button type="submit" size="lg" variant="accent" className="w-full" pending={isPending}>
        {t('setup.submit')}
      </Button>
    </form>
  )
}
