import { valibotResolver } from '@hookform/resolvers/valibot'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { type UserOut, updateAccount } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { userQuery } from '@/api/queries'
import { name } from '@/lib/credentials'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
import { FormAlert } from '@/ui/form-alert'
import { toast } from '@/ui/toast-store'
import { Section } from './section'

const names = v.object({ firstName: name, lastName: name })
const fields = ['firstName', 'lastName'] as const

export function NameForm({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  const queryClient = useQueryClient()
  const [refused, setRefused] = useState<string>()
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: valibotResolver(names),
    defaultValues: { firstName: user.firstName ?? '', lastName: user.lastName ?? '' },
  })
  const { errors, isSubmitting, isDirty } = formState

  async function submit(body: v.InferOutput<typeof names>) {
    setRefused(undefined)
    try {
      const { data } = await updateAccount({ body, throwOnError: true })
      queryClient.setQueryData(userQuery().queryKey, data)
      reset({ firstName: data.firstName ?? '', lastName: data.lastName ?? '' })
    } catch (error) {
      setRefused(placeErrors(error, fields, setError))
      return
    }
    toast({ title: t('account.saved') })
  }

  return (
    <Section title={t('account.name.title')} lead={t('account.name.lead')}>
      <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
        {refused && <FormAlert>{refused}</FormAlert>}
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label={t('auth.firstName')} error={message(errors.firstName)}>
            {(aria) => <Input autoComplete="given-name" {...aria} {...register('firstName')} />}
          </Field>
          <Field label={t('auth.lastName')} error={message(errors.lastName)}>
            {(aria) => <Input autoComplete="family-name" {...aria} {...register('lastName')} />}
          </Field>
        </div>
        <Button type="submit" variant="outline" disabled={!isDirty} pending={isSubmitting}>
          {t('account.name.submit')}
        </Button>
      </form>
    </Section>
  )
}
