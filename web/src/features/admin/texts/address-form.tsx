import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError } from '@/api/errors/api-error'
import { Field, Input } from '@/ui/form/field'
import { SaveButton } from '@/ui/form/save-button'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { Card } from '../components/card'
import { useFailureToast } from '../hooks/use-failure-toast'
import { addressesQuery, refreshTexts, saveAddresses } from './queries'

const names = ['email', 'api', 'x', 'instagram', 'facebook', 'youtube'] as const
const networks = { x: 'X', instagram: 'Instagram', facebook: 'Facebook', youtube: 'YouTube' }
const text = v.pipe(v.string(), v.trim())
const schema = v.object({ email: text, api: text, x: text, instagram: text, facebook: text, youtube: text })

/** Where the footer leads, besides to pages of this site. The server says what is no address. */
export function AddressForm() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: addresses } = useSuspenseQuery(addressesQuery())
  const fail = useFailureToast(t('admin.texts.failed'))
  const { form, isDirty, isPending, onSubmit, fieldError } = useServerForm({
    schema,
    values: addresses,
    fields: names,
    submit: saveAddresses,
    stored: (saved) => saved,
    onSuccess: async (saved) => {
      toast({ title: t('admin.saved') })
      queryClient.setQueryData(addressesQuery().queryKey, saved)
      await refreshTexts(queryClient)
    },
    // what a field shows need not be said twice
    onError: (error, message) => (message || !(error instanceof ApiError)) && fail(error),
  })
  const guard = useUnsavedGuard(isDirty)
  const label = (name: (typeof names)[number]) =>
    name === 'email' || name === 'api'
      ? t(`admin.texts.addresses.${name}`)
      : t('admin.texts.addresses.network', { network: networks[name] })
  return (
    <Card title={t('admin.texts.addresses.title')} lead={t('admin.texts.addresses.lead')}>
      <form noValidate onSubmit={onSubmit}>
        <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
          {names.map((name) => (
            <Field key={name} label={label(name)} error={fieldError(name)}>
              {(aria) => (
                <Input
                  {...aria}
                  type={name === 'email' ? 'email' : 'url'}
                  dir="ltr"
                  className="rtl:text-end"
                  autoComplete="off"
                  maxLength={300}
                  {...form.register(name)}
                />
              )}
            </Field>
          ))}
        </div>
        <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
          <SaveButton dirty={isDirty} pending={isPending}>
            {t('admin.form.save')}
          </SaveButton>
        </div>
      </form>
      <LeaveDialog guard={guard} />
    </Card>
  )
}
