import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FastForward } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { movePaymentClock } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { toast } from '@/ui/toast-store'
import { useFailureToast } from '../failure-toast'
import { clockQuery, overviewQuery } from './queries'

const MOST_DAYS = 366

type Props = { provider: string; frame: (content: ReactNode) => ReactNode }

/** The time of a provider that can be moved through it; nothing for any other. */
export function Clock({ provider, frame }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const { data: clock } = useQuery(clockQuery(provider))
  const [days, setDays] = useState('31')
  const [tried, setTried] = useState(false)
  const move = useMutation({
    mutationFn: async (advanceDays: number) =>
      (await movePaymentClock({ path: { provider }, body: { advanceDays }, throwOnError: true })).data,
    onSuccess: async (data) => {
      queries.setQueryData(clockQuery(provider).queryKey, data)
      toast({ title: t('admin.payment.clock.moved') })
      await queries.invalidateQueries({ queryKey: overviewQuery().queryKey })
    },
    onError: useFailureToast(),
  })
  if (!clock) return null
  const wanted = Number(days)
  const valid = Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_DAYS
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (valid) move.mutate(wanted)
  }
  return frame(
    <form noValidate onSubmit={submit} className="space-y-4">
      <p role="status" className="text-sm">
        {t('admin.payment.clock.now', { time: format.time(new Date(clock.now * 1000).toISOString()) })}
      </p>
      <Field
        label={t('admin.payment.clock.days')}
        error={tried && !valid ? t('admin.payment.clock.invalid') : undefined}
      >
        {(aria) => (
          <Input
            dir="ltr"
            inputMode="numeric"
            className="rtl:text-end"
            value={days}
            onChange={({ target }) => setDays(target.value)}
            {...aria}
          />
        )}
      </Field>
      <Button type="submit" variant="outline" pending={move.isPending}>
        {!move.isPending && <FastForward aria-hidden className="rtl:-scale-x-100" />}
        {t('admin.payment.clock.move')}
      </Button>
    </form>,
  )
}
