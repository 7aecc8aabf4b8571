import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { forgotPassword } from '@/api/generated'
import { emailSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { EmailInput, Field } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { SignInLayout } from './components/sign-in-layout'

const forgotSchema = v.object({ email: emailSchema })

/** Asks for a link to a new password. What comes next is the same for every address. */
export function ForgotPassword() {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo) {
    return (
      <SignInLayout title={t('auth.forgot.sentTitle')} lead={t('auth.forgot.sentLead', { email: sentTo })}>
        <div role="status" className="space-y-6">
          <p className="text-sm leading-relaxed text-ink-2">{t('auth.forgot.sentHint')}</p>
          <div className="flex flex-wrap gap-3">
            <Button asChild>
              <Link to="/sign-in">{t('auth.forgot.back')}</Link>
            </Button>
            <Button variant="outline" onClick={() => setSentTo(undefined)}>
              {t('auth.forgot.again')}
            </Button>
          </div>
        </div>
      </SignInLayout>
    )
  }
  return (
    <SignInLayout title={t('auth.forgot.title')} lead={t('auth.forgot.lead')}>
      <ForgotForm onSent={setSentTo} />
    </SignInLayout>
  )
}

function ForgotForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: forgotSchema,
    values: { email: '' },
    fields: ['email'],
    submit: (body) => forgotPassword({ body, throwOnError: true }),
    onSuccess: (_, { email }) => onSent(email),
  })

  return (
    <form noValidate className="space-y-5" onSubmit={onSubmit}>
      {formError && <FormAlert>{formError}</FormAlert>}
      <Field label={t('auth.email')} error={fieldError('email')}>
        {(aria) => <EmailInput autoComplete="username" {...aria} {...form.register('email')} />}
      </Field>
      <Button type="submit" size="lg" variant="accent" className="w-full" pending={isPending}>
        {t('auth.forgot.submit')}
      </Button>
      <p className="text-center text-sm">
        <Link
          to="/sign-in"
          className="font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
        >
          {t('auth.forgot.back')}
        </Link>
      </p>
    </form>
  )
}
