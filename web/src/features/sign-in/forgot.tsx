import { valibotResolver } from '@hookform/resolvers/valibot'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { forgotPassword } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { email } from '@/lib/credentials'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
import { FormAlert } from '@/ui/form-alert'
import { Threshold } from './threshold'

const wish = v.object({ email })

/** Asks for a link to a new password. What comes next is the same for every address. */
export function Forgot() {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo) {
    return (
      <Threshold title={t('auth.forgot.sentTitle')} lead={t('auth.forgot.sentLead', { email: sentTo })}>
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
      </Threshold>
    )
  }
  return (
    <Threshold title={t('auth.forgot.title')} lead={t('auth.forgot.lead')}>
      <ForgotForm onSent={setSentTo} />
    </Threshold>
  )
}

function ForgotForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  const [refused, setRefused] = useState<string>()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: valibotResolver(wish),
    defaultValues: { email: '' },
  })

  async function submit(body: { email: string }) {
    setRefused(undefined)
    try {
      await forgotPassword({ body, throwOnError: true })
    } catch (error) {
      setRefused(placeErrors(error, ['email'], setError))
      return
    }
    onSent(body.email)
  }

  return (
    <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
      {refused && <FormAlert>{refused}</FormAlert>}
      <Field label={t('auth.email')} error={message(formState.errors.email)}>
        {(aria) => (
          <Input
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            className="rtl:text-end"
            {...aria}
            {...register('email')}
          />
        )}
      </Field>
      <Button type="submit" size="lg" variant="accent" className="w-full" pending={formState.isSubmitting}>
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
