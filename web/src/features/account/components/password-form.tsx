import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { changePassword, type UserOut } from '@/api/generated'
import { listSessionsQueryKey, listSignInMethodsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries/site'
import { currentPasswordSchema, newPasswordSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { Field, PasswordInput } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { AccountSection } from './account-section'

const proven = v.object({ currentPassword: currentPasswordSchema, newPassword: newPasswordSchema })
const unproven = v.object({ currentPassword: v.string(), newPassword: newPasswordSchema })

/** A new password, or a first one for who came from a provider. */
export function PasswordForm({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: methods } = useQuery(listSignInMethodsOptions())
  const { form, fieldError, formError, isPending, onSubmit, reset } = useServerForm({
    schema: user.hasPassword ? proven : unproven,
    values: { currentPassword: '', newPassword: '' },
    fields: ['currentPassword', 'newPassword'],
    submit: async ({ currentPassword, newPassword }) => {
      const body = { newPassword, ...(currentPassword && { currentPassword }) }
      return (await changePassword({ body, throwOnError: true })).data
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(userQuery().queryKey, saved)
      reset()
      void queryClient.invalidateQueries({ queryKey: listSessionsQueryKey() })
      toast({ title: t('account.password.changed'), description: t('account.password.changedBody') })
    },
  })

  // a password is of no use where the site offers no sign-in with one
  if (!methods?.some(({ kind }) => kind === 'form')) return null
  return (
    <AccountSection
      title={t('account.password.title')}
      lead={t(user.hasPassword ? 'account.password.lead' : 'account.password.firstLead')}
    >
      <form noValidate className="space-y-5" onSubmit={onSubmit}>
        {formError && <FormAlert>{formError}</FormAlert>}
        {/* for password managers: whose password this is */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          {user.hasPassword && (
            <Field label={t('account.currentPassword')} error={fieldError('currentPassword')}>
              {(aria) => (
                <PasswordInput autoComplete="current-password" {...aria} {...form.register('currentPassword')} />
              )}
            </Field>
          )}
          <Field label={t('account.password.new')} hint={t('auth.passwordHint')} error={fieldError('newPassword')}>
            {(aria) => <PasswordInput autoComplete="new-password" {...aria} {...form.register('newPassword')} />}
          </Field>
        </div>
        <Button type="submit" variant="outline" pending={isPending}>
          {t(user.hasPassword ? 'account.password.submit' : 'account.password.firstSubmit')}
        </Button>
      </form>
    </AccountSection>
  )
}
