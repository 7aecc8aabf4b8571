import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { type BillingDetailsOut, saveBillingDetails } from '@/api/generated'
import { billingDetailsQuery } from '@/api/queries/billing-details'
import { Button } from '../button'
import { Field, Input, Select } from '../form/field'
import { FormAlert } from '../form/form-alert'
import { Switch } from '../form/switch'
import { useServerForm } from '../form/use-server-form'
import { countriesIn } from './countries'

const REQUIRED = 'errors.field.required'
const needed = v.pipe(v.string(), v.trim(), v.nonEmpty(REQUIRED))
const free = v.pipe(v.string(), v.trim())
const schema = v.pipe(
  v.object({
    name: needed,
    country: needed,
    line1: needed,
    city: needed,
    postalCode: free,
    region: free,
    business: v.boolean(),
    company: free,
    taxId: free,
  }),
  v.forward(
    v.partialCheck([['business'], ['company']], ({ business, company }) => !business || company !== '', REQUIRED),
    ['company'],
  ),
)
const FIELDS = ['name', 'country', 'line1', 'city', 'postalCode', 'region', 'business', 'company', 'taxId'] as const
const EMPTY = { name: '', country: '', line1: '', city: '', postalCode: '', region: '', company: '', taxId: '' }

type Props = {
  details: BillingDetailsOut | null
  /** What the button says. */
  label: string
  onSaved: () => void
  /** Leaves what is stored as it is; without it there is no way back. */
  onCancel?: (() => void) | undefined
}

/** Asks who invoices are for. What the payment provider refuses is said at its field. */
export default function BillingForm({ details, label, onSaved, onCancel }: Props) {
  const { t, i18n } = useTranslation()
  const queryClient = useQueryClient()
  const countries = useMemo(() => countriesIn(i18n.language), [i18n.language])
  const values = { ...EMPTY, ...details, business: Boolean(details?.company) }
  const { form, typed, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema,
    values,
    fields: FIELDS,
    submit: async ({ business, company, taxId, ...place }) => {
      const body = { ...place, company: business ? company : '', taxId: business ? taxId : '' }
      return (await saveBillingDetails({ body, throwOnError: true })).data
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(billingDetailsQuery().queryKey, { asked: true, details: saved })
      onSaved()
    },
  })
  const text = (name: 'name' | 'line1' | 'city' | 'postalCode' | 'region' | 'company', autoComplete: string) => (
    <Field label={t(`payments.buyer.${name}`)} error={fieldError(name)}>
      {(aria) => <Input dir="auto" autoComplete={autoComplete} maxLength={150} {...aria} {...form.register(name)} />}
    </Field>
  )
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-4">
      {formError && <FormAlert>{formError}</FormAlert>}
      {text('name', 'billing name')}
      <Field label={t('payments.buyer.country')} error={fieldError('country')}>
        {(aria) => (
          <Select autoComplete="billing country" {...aria} {...form.register('country')} value={typed.country}>
            <option value="">{t('payments.buyer.choose')}</option>
            {countries.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {text('line1', 'billing address-line1')}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
        {text('postalCode', 'billing postal-code')}
        {text('city', 'billing address-level2')}
      </div>
      {text('region', 'billing address-level1')}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch is its control */}
      <label className="flex items-center justify-between gap-6 text-sm font-medium">
        {t('payments.buyer.business')}
        <Switch
          checked={typed.business}
          onCheckedChange={(checked) => form.setValue('business', checked, { shouldDirty: true })}
        />
      </label>
      {typed.business && (
        <>
          {text('company', 'billing organization')}
          <Field label={t('payments.buyer.taxId')} hint={t('payments.buyer.taxIdHint')} error={fieldError('taxId')}>
            {(aria) => (
              <Input
                dir="ltr"
                className="rtl:text-end"
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                maxLength={50}
                {...aria}
                {...form.register('taxId')}
              />
            )}
          </Field>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="outline" pending={isPending}>
          {label}
        </Button>
        {onCancel && (
          <Button variant="ghost" disabled={isPending} onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
