import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { refundTestPayment } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'

const isAmount = (typed: string) => typed.trim() === '' || /^[1-9]\d{0,11}$/.test(typed.trim())
const schema = v.object({
  number: v.pipe(v.string(), v.trim(), v.nonEmpty('admin.payment.refund.numberMissing')),
  total: v.pipe(v.string(), v.check(isAmount, 'admin.payment.refund.totalInvalid')),
})

/** Gives a test payment back, as somebody at a payment service would. */
export function RefundForm({ provider }: { provider: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const refund = useMutation({
    mutationFn: async (body: { number: string; total: number | null }) =>
      (await refundTestPayment({ path: { provider }, body, throwOnError: true })).data,
    onSuccess: ({ number, refunded, currency }) =>
      toast({ title: t('admin.payment.refund.done', { number, amount: format.exact(refunded, currency) }) }),
    onError: useFailureToast(),
  })
  const { form, fieldError, onSubmit } = useServerForm({
    schema,
    values: { number: '', total: '' },
    fields: ['number', 'total'],
    submit: ({ number, total }) =>
      refund.mutateAsync({ number: number.trim(), total: total.trim() === '' ? null : Number(total) }),
    onError: mutationShowsError,
  })
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-4">
      <Field label={t('admin.payment.refund.number')} error={fieldError('number')}>
        {(aria) => <Input dir="ltr" className="rtl:text-end" {...aria} {...form.register('number')} />}
      </Field>
      <Field
        label={t('admin.payment.refund.total')}
        hint={t('admin.payment.refund.totalHint')}
        error={fieldError('total')}
      >
        {(aria) => (
          <Input dir="ltr" inputMode="numeric" className="rtl:text-end" {...aria} {...form.register('total')} />
        )}
      </Field>
      <Button type="submit" variant="outline" pending={refund.isPending}>
        {!refund.isPending && <Undo2 aria-hidden className="rtl:-scale-x-100" />}
        {t('admin.payment.refund.submit')}
      </Button>
    </form>
  )
}
