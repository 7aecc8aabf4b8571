import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { type UserOut, updateAccount } from '@/api/generated'
import { userQuery } from '@/api/queries/site'
import { nameSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { AccountSection } from './account-section'

const names = v.object({ firstName: nameSchema, lastName: nameSchema })
const namesOf = ({ firstName, lastName }: UserOut) => ({ firstName: firstName ?? '', lastName: lastName ?? '' })

export function NameForm({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { form, fieldError, formError, isDirty, isPending, onSubmit } = useServerForm({
    schema: names,
    values: namesOf(user),
    fields: ['firstName', 'lastName'],
    submit: async (body) => (await updateAccount({ body, throwOnError: true })).data,
    stored: namesOf,
    onSuccess: (saved) => {
      queryClient.setQueryData(userQuery().queryKey, saved)
      toast({ title: t('account.saved') })
    },
  })

  return (
    <AccountSection title={t('account.name.title')} lead={t('account.name.lead')}>
      <form noValidate className="space-y-5" onSubmit={onSubmit}>
        {formError && <FormAlert>{formError}</FormAlert>}
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label={t('auth.firstName')} error={fieldError('firstName')}>
            {(aria) => <Input autoComplete="given-name" {...aria} {...form.register('firstName')} />}
          </Field>
          <Field label={t('auth.lastName')} error={fieldError('lastName')}>
            {(aria) => <Input autoComplete="family-name" {...aria} {...form.register('lastName')} />}
          </Field>
        </div>
        <Button type="submit" variant="outline" disabled={!isDirty} pending={isPending}>
          {t('account.name.submit')}
        </Button>
      </form>
    </AccountSection>
  )
}
