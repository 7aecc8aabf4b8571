import { valibotResolver } from '@hookform/resolvers/valibot'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { changePassword, type UserOut } from '@/api/generated'
import { listSessionsQueryKey, listSignInMethodsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { placeErrors } from '@/api/place-errors'
import { userQuery } from '@/api/queries'
import { knownPassword, newPassword } from '@/lib/credentials'
import { Button } from '@/ui/button'
import { Field, PasswordInput } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
import { FormAlert } from '@/ui/form-alert'
import { toast } from '@/ui/toast-store'
import { Section } from './section'

const proven = v.object({ currentPassword: knownPassword, newPassword })
const unproven = v.object({ currentPassword: v.string(), newPassword })
const fields = ['currentPassword', 'newPassword'] as const

/** A new password, or a first one for who came from a provider. */
export function PasswordForm({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  const queryClient = useQueryClient()
  const { data: methods } = useQuery(listSignInMethodsOptions())
  const [refused, setRefused] = useState<string>()
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: valibotResolver(user.hasPassword ? proven : unproven),
    defaultValues: { currentPassword: '', newPassword: '' },
  })
  const { errors, isSubmitting } = formState

  async function submit({ currentPassword, newPassword }: v.InferOutput<typeof unproven>) {
    setRefused(undefined)
    try {
      const body = { newPassword, ...(currentPassword && { currentPassword }) }
      const { data } = await changePassword({ body, throwOnError: true })
      queryClient.setQueryData(userQuery().queryKey, data)
    } catch (error) {
      setRefused(placeErrors(error, fields, setError))
      return
    }
    reset()
    void queryClient.invalidateQueries({ queryKey: listSessionsQueryKey() })
    toast({ title: t('account.password.changed'), description: t('account.password.changedBody') })
  }

  // a password is of no use where nobody signs in with one
  if (!methods?.some(({ kind }) => kind === 'form')) return null
  return (
    <Section
      title={t('account.password.title')}
      lead={t(user.hasPassword ? 'account.password.lead' : 'account.password.firstLead')}
    >
      <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
        {refused && <FormAlert>{refused}</FormAlert>}
        {/* for password managers: whose password this is */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          {user.hasPassword && (
            <Field label={t('account.currentPassword')} error={message(errors.currentPassword)}>
              {(aria) => <PasswordInput autoComplete="current-password" {...aria} {...register('currentPassword')} />}
            </Field>
          )}
          <Field label={t('account.password.new')} hint={t('auth.passwordHint')} error={message(errors.newPassword)}>
            {(aria) => <PasswordInput autoComplete="new-password" {...aria} {...register('newPassword')} />}
          </Field>
        </div>
        <Button type="submit" variant="outline" pending={isSubmitting}>
          {t(user.hasPassword ? 'account.password.submit' : 'account.password.firstSubmit')}
        </Button>
      </form>
    </Section>
  )
}
