import { valibotResolver } from '@hookform/resolvers/valibot'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError } from '@/api/error'
import { resetPassword } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { newPassword } from '@/lib/credentials'
import { Button } from '@/ui/button'
import { Field, PasswordInput } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
import { FormAlert } from '@/ui/form-alert'
import { DeadLink } from './dead-link'
import { Threshold } from './threshold'

const choice = v.object({ password: newPassword })

/** Chooses a new password with the token of a mailed link. */
export function Reset({ token }: { token: string | null }) {
  const { t } = useTranslation()
  const [expired, setExpired] = useState(false)
  if (!token || expired) {
    return (
      <DeadLink
        incomplete={!token}
        action={
          <Button asChild>
            <Link to="/forgot">{t('auth.reset.askAgain')}</Link>
          </Button>
        }
      />
    )
  }
  return (
    <Threshold title={t('auth.reset.title')} lead={t('auth.reset.lead')}>
      <ResetForm token={token} onExpired={() => setExpired(true)} />
    </Threshold>
  )
}

function ResetForm({ token, onExpired }: { token: string; onExpired: () => void }) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  const [refused, setRefused] = useState<string>()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: valibotResolver(choice),
    defaultValues: { password: '' },
  })

  async function submit({ password }: { password: string }) {
    setRefused(undefined)
    try {
      await resetPassword({ body: { token, password }, throwOnError: true })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'link_expired') return onExpired()
      setRefused(placeErrors(error, ['password'], setError))
      return
    }
    // the session is new: a fresh page leaves nothing of the signed-out one behind
    window.location.assign('/')
  }

  return (
    <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
      {refused && <FormAlert>{refused}</FormAlert>}
      <Field label={t('auth.reset.password')} hint={t('auth.passwordHint')} error={message(formState.errors.password)}>
        {(aria) => <PasswordInput autoComplete="new-password" {...aria} {...register('password')} />}
      </Field>
      <Button type="submit" size="lg" variant="accent" className="w-full" pending={formState.isSubmitting}>
        {t('auth.reset.submit')}
      </Button>
    </form>
  )
}
