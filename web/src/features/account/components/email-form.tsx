import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { changeEmail, sendConfirmation, type UserOut } from '@/api/generated'
import { currentPasswordSchema, emailSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { EmailInput, Field, PasswordInput } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { StatusPill } from '@/ui/status-pill'
import { AccountSection } from './account-section'

const proven = v.object({ email: emailSchema, currentPassword: currentPasswordSchema })
const unproven = v.object({ email: emailSchema, currentPassword: v.string() })

/** The address of the account: whether it is confirmed, and how to have another one. */
export function EmailForm({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string>()
  const { form, fieldError, formError, isPending, onSubmit, reset } = useServerForm({
    schema: user.hasPassword ? proven : unproven,
    values: { email: '', currentPassword: '' },
    fields: ['email', 'currentPassword'],
    submit: ({ email, currentPassword }) => {
      setSentTo(undefined)
      return changeEmail({ body: { email, ...(currentPassword && { currentPassword }) }, throwOnError: true })
    },
    onSuccess: (_, { email }) => {
      setSentTo(email)
      reset()
    },
  })

  return (
    <AccountSection title={t('account.email.title')} lead={t('account.email.lead')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <bdi className="font-medium wrap-anywhere">{user.email}</bdi>
        <StatusPill tone={user.emailVerified ? 'ok' : 'warn'}>
          {t(user.emailVerified ? 'account.email.confirmed' : 'account.email.unconfirmed')}
        </StatusPill>
        {!user.emailVerified && <SendAgain />}
      </div>
      <form noValidate className="mt-6 space-y-5" onSubmit={onSubmit}>
        {formError && <FormAlert>{formError}</FormAlert>}
        {sentTo && (
          <p role="status" className="flex gap-2.5 rounded-md bg-ok-soft px-4 py-3 text-sm leading-relaxed text-ok">
            <MailCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="wrap-anywhere">{t('account.email.sent', { email: sentTo })}</span>
          </p>
        )}
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label={t('account.email.new')} error={fieldError('email')}>
            {(aria) => <EmailInput autoComplete="email" {...aria} {...form.register('email')} />}
          </Field>
          {user.hasPassword && (
            <Field label={t('account.currentPassword')} error={fieldError('currentPassword')}>
              {(aria) => (
                <PasswordInput autoComplete="current-password" {...aria} {...form.register('currentPassword')} />
              )}
            </Field>
          )}
        </div>
        <Button type="submit" variant="outline" pending={isPending}>
          {t('account.email.submit')}
        </Button>
      </form>
    </AccountSection>
  )
}

function SendAgain() {
  const { t } = useTranslation()
  const send = useMutation({
    mutationFn: () => sendConfirmation({ throwOnError: true }),
    onSuccess: () => toast({ title: t('account.email.again.sent') }),
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: errorMessage(error), variant: 'destructive' })
    },
  })
  return (
    <Button variant="ghost" size="sm" pending={send.isPending} onClick={() => send.mutate()}>
      {t('account.email.again.action')}
    </Button>
  )
}
