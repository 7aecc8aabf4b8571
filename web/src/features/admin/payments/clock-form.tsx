import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FastForward } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { movePaymentClock } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { clockQuery, overviewQuery } from './queries'

const MAX_DAYS = 366
const isDays = (typed: string) => Number.isInteger(Number(typed)) && Number(typed) >= 1 && Number(typed) <= MAX_DAYS
const schema = v.object({ days: v.pipe(v.string(), v.check(isDays, 'admin.payment.clock.invalid')) })

type Props = { provider: string; frame: (content: ReactNode) => ReactNode }

/** The time of a provider that can be moved through it; nothing for any other. */
export function ClockForm({ provider, frame }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const { data: clock } = useQuery(clockQuery(provider))
  const move = useMutation({
    mutationFn: async (advanceDays: number) =>
      (await movePaymentClock({ path: { provider }, body: { advanceDays }, throwOnError: true })).data,
    onSuccess: async (data) => {
      queryClient.setQueryData(clockQuery(provider).queryKey, data)
      toast({ title: t('admin.payment.clock.moved') })
      await queryClient.invalidateQueries({ queryKey: overviewQuery().queryKey })
    },
    onError: useFailureToast(),
  })
  const { form, fieldError, onSubmit } = useServerForm({
    schema,
    values: { days: '31' },
    fields: ['days'],
    submit: ({ days }) => move.mutateAsync(Number(days)),
    onError: mutationShowsError,
  })
  if (!clock) return null
  return frame(
    <form noValidate onSubmit={onSubmit} className="space-y-4">
      <p role="status" className="text-sm">
        {t('admin.payment.clock.now', { time: format.time(new Date(clock.now * 1000).toISOString()) })}
      </p>
      <Field label={t('admin.payment.clock.days')} error={fieldError('days')}>
        {(aria) => (
          <Input dir="ltr" inputMode="numeric" className="rtl:text-end" {...aria} {...form.register('days')} />
        )}
      </Field>
      <Button type="submit" variant="outline" pending={move.isPending}>
        {!move.isPending && <FastForward aria-hidden className="rtl:-scale-x-100" />}
        {t('admin.payment.clock.move')}
      </Button>
    </form>,
  )
}
