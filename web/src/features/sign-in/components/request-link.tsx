import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { emailSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { EmailInput, Field } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { SignInLayout } from './sign-in-layout'

const requestSchema = v.object({ email: emailSchema })

type Props = {
  /** Where the texts are: `title`, `lead`, `sentLead` and `sentHint`. */
  texts: 'auth.forgot' | 'auth.emailLink'
  request: (email: string) => Promise<unknown>
}

/** Asks for a mailed link. What comes next is the same for every address. */
export function RequestLink({ texts, request }: Props) {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo) {
    return (
      <SignInLayout title={t('auth.forgot.sentTitle')} lead={t(`${texts}.sentLead`, { email: sentTo })}>
        <div role="status" className="space-y-6">
          <p className="text-sm leading-relaxed text-ink-2">{t(`${texts}.sentHint`)}</p>
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
    <SignInLayout title={t(`${texts}.title`)} lead={t(`${texts}.lead`)}>
      <RequestForm request={request} onSent={setSentTo} />
    </SignInLayout>
  )
}

function RequestForm({ request, onSent }: { request: Props['request']; onSent: (email: string) => void }) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: requestSchema,
    values: { email: '' },
    fields: ['email'],
    submit: ({ email }) => request(email),
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
