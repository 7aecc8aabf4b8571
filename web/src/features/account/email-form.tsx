import { valibotResolver } from '@hookform/resolvers/valibot'
import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { isUnauthorized } from '@/api/error'
import { changeEmail, sendConfirmation, type UserOut } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { sentenceOf } from '@/api/sentence'
import { email, knownPassword } from '@/lib/credentials'
import { Button } from '@/ui/button'
import { Field, Input, PasswordInput } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
import { FormAlert } from '@/ui/form-alert'
import { StatusPill } from '@/ui/pill'
import { toast } from '@/ui/toast-store'
import { Section } from './section'

const proven = v.object({ email, currentPassword: knownPassword })
const unproven = v.object({ email, currentPassword: v.string() })
const fields = ['email', 'currentPassword'] as const

/** The address of the account: whether it is confirmed, and how to have another one. */
export function EmailForm({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  const [refused, setRefused] = useState<string>()
  const [sentTo, setSentTo] = useState<string>()
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: valibotResolver(user.hasPassword ? proven : unproven),
    defaultValues: { email: '', currentPassword: '' },
  })
  const { errors, isSubmitting } = formState

  async function submit({ email, currentPassword }: v.InferOutput<typeof unproven>) {
    setRefused(undefined)
    setSentTo(undefined)
    try {
      await changeEmail({ body: { email, ...(currentPassword && { currentPassword }) }, throwOnError: true })
    } catch (error) {
      setRefused(placeErrors(error, fields, setError))
      return
    }
    setSentTo(email)
    reset()
  }

  return (
    <Section title={t('account.email.title')} lead={t('account.email.lead')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <bdi className="font-medium wrap-anywhere">{user.email}</bdi>
        <StatusPill tone={user.emailVerified ? 'ok' : 'warn'}>
          {t(user.emailVerified ? 'account.email.confirmed' : 'account.email.unconfirmed')}
        </StatusPill>
        {!user.emailVerified && <SendAgain />}
      </div>
      <form noValidate className="mt-6 space-y-5" onSubmit={handleSubmit(submit)}>
        {refused && <FormAlert>{refused}</FormAlert>}
        {sentTo && (
          <p role="status" className="flex gap-2.5 rounded-md bg-ok-soft px-4 py-3 text-sm leading-relaxed text-ok">
            <MailCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="wrap-anywhere">{t('account.email.sent', { email: sentTo })}</span>
          </p>
        )}
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label={t('account.email.new')} error={message(errors.email)}>
            {(aria) => (
              <Input
                type="email"
                inputMode="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                dir="ltr"
                className="rtl:text-end"
                {...aria}
                {...register('email')}
              />
            )}
          </Field>
          {user.hasPassword && (
            <Field label={t('account.currentPassword')} error={message(errors.currentPassword)}>
              {(aria) => <PasswordInput autoComplete="current-password" {...aria} {...register('currentPassword')} />}
            </Field>
          )}
        </div>
        <Button type="submit" variant="outline" pending={isSubmitting}>
          {t('account.email.submit')}
        </Button>
      </form>
    </Section>
  )
}

function SendAgain() {
  const { t } = useTranslation()
  const send = useMutation({
    mutationFn: () => sendConfirmation({ throwOnError: true }),
    onSuccess: () => toast({ title: t('account.email.again.sent') }),
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: sentenceOf(error), variant: 'destructive' })
    },
  })
  return (
    <Button variant="ghost" size="sm" pending={send.isPending} onClick={() => send.mutate()}>
      {t('account.email.again.action')}
    </Button>
  )
}
