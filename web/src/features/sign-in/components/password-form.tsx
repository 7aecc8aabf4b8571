import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { register as createAccount, type SecondStepOut, signIn, type UserOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { registrationSchema, signInSchema } from '../schemas'
import { EmailAndPassword } from './account-fields'

type Values = { email: string; password: string; firstName: string; lastName: string }

type Props = { registering: boolean; onDone: (result: UserOut | SecondStepOut) => unknown }

/** Sign-in and registration with email and password. Changing between the two keeps what was typed. */
export function PasswordForm({ registering, onDone }: Props) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm<Values, Values, UserOut | SecondStepOut>({
    // both schemas ask for the same fields; only a new account minds their length
    schema: registering ? registrationSchema : signInSchema,
    values: { email: '', password: '', firstName: '', lastName: '' },
    fields: ['email', 'password', 'firstName', 'lastName'],
    submit: async ({ email, password, firstName, lastName }) => {
      if (!registering) return (await signIn({ body: { email, password }, throwOnError: true })).data
      const names = { ...(firstName && { firstName }), ...(lastName && { lastName }) }
      return (await createAccount({ body: { email, password, ...names }, throwOnError: true })).data
    },
    onSuccess: onDone,
  })
  const { errors, isSubmitSuccessful } = form.formState

  return (
    <form noValidate className="space-y-5" onSubmit={onSubmit}>
      {formError && <FormAlert>{formError}</FormAlert>}
      {registering && (
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label={t('auth.firstName')} aside={t('auth.optional')} error={fieldError('firstName')}>
            {(aria) => <Input autoComplete="given-name" {...aria} {...form.register('firstName')} />}
          </Field>
          <Field label={t('auth.lastName')} aside={t('auth.optional')} error={fieldError('lastName')}>
            {(aria) => <Input autoComplete="family-name" {...aria} {...form.register('lastName')} />}
          </Field>
        </div>
      )}
      <EmailAndPassword
        register={form.register}
        fieldError={fieldError}
        fresh={registering}
        aside={
          registering ? undefined : (
            <Link
              to="/forgot"
              className="-my-1.5 inline-block py-1.5 underline decoration-line-strong underline-offset-4 hover:text-ink"
            >
              {t('auth.forgot.link')}
            </Link>
          )
        }
      />
      <Button
        type="submit"
        size="lg"
        variant="accent"
        className="w-full"
        pending={isPending || (isSubmitSuccessful && Object.keys(errors).length === 0)}
      >
        {t(registering ? 'auth.register' : 'auth.signIn')}
      </Button>
    </form>
  )
}
