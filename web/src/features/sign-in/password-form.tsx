import { valibotResolver } from '@hookform/resolvers/valibot'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { register as createAccount, signIn } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
import { FormAlert } from '@/ui/form-alert'
import { EmailAndPassword } from './account-fields'
import { knownCredentials, newAccount } from './credentials'

type Values = { email: string; password: string; firstName: string; lastName: string }
const fields = ['email', 'password', 'firstName', 'lastName'] as const

type Props = { registering: boolean; onDone: () => void }

/** Sign-in and registration with e-mail and password. Changing between the two keeps what was typed. */
export function PasswordForm({ registering, onDone }: Props) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  const [refused, setRefused] = useState<string>()
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    // both schemas ask for the same fields; only a new account minds their length
    resolver: valibotResolver(registering ? newAccount : knownCredentials),
    defaultValues: { email: '', password: '', firstName: '', lastName: '' },
    shouldFocusError: true,
  })
  const { errors, isSubmitting, isSubmitSuccessful } = formState

  async function submit({ email, password, firstName, lastName }: Values) {
    setRefused(undefined)
    try {
      if (registering) {
        const names = { ...(firstName && { firstName }), ...(lastName && { lastName }) }
        await createAccount({ body: { email, password, ...names }, throwOnError: true })
      } else await signIn({ body: { email, password }, throwOnError: true })
    } catch (error) {
      const sentence = placeErrors(error, fields, setError)
      setRefused(sentence)
      if (sentence) setError('root', { type: 'server' })
      return
    }
    onDone()
  }

  return (
    <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
      {refused && <FormAlert>{refused}</FormAlert>}
      {registering && (
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label={t('auth.firstName')} aside={t('auth.optional')} error={message(errors.firstName)}>
            {(aria) => <Input autoComplete="given-name" {...aria} {...register('firstName')} />}
          </Field>
          <Field label={t('auth.lastName')} aside={t('auth.optional')} error={message(errors.lastName)}>
            {(aria) => <Input autoComplete="family-name" {...aria} {...register('lastName')} />}
          </Field>
        </div>
      )}
      <EmailAndPassword
        register={register}
        errors={errors}
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
        pending={isSubmitting || (isSubmitSuccessful && !refused && Object.keys(errors).length === 0)}
      >
        {t(registering ? 'auth.register' : 'auth.signIn')}
      </Button>
    </form>
  )
}
