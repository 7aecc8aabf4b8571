import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { giveCredits, type PersonOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { toast } from '@/ui/overlay/toast-store'
import { invalidateTimeline, updateCachedUser } from '../queries'
import { fitsCredit, MOST_CREDITS, REASON_LENGTH } from './credit-limits'

/** How many covers beyond the limit a user has left, and more of them. */
export function CreditsForm({ person }: { person: PersonOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [amount, setAmount] = useState('1')
  const [reason, setReason] = useState('')
  const give = useMutation({
    mutationFn: async () =>
      (
        await giveCredits({
          path: { user_id: person.id },
          body: { amount: Number(amount), reason: reason.trim() },
          throwOnError: true,
        })
      ).data,
    onSuccess: async ({ credits }) => {
      setAmount('1')
      setReason('')
      updateCachedUser(queryClient, person.id, { credits })
      toast({ title: t('admin.person.creditsGiven', { email: person.email }) })
      await invalidateTimeline(queryClient, person.id)
    },
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: errorMessage(error), variant: 'destructive' })
    },
  })
  const fits = fitsCredit({ amount: Number(amount), reason })
  return (
    <form
      aria-label={t('admin.person.credits')}
      className="mt-6 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (fits && !give.isPending) give.mutate()
      }}
    >
      <p className="text-sm font-medium">{t('admin.person.credits')}</p>
      <p className="mt-1 text-note leading-relaxed text-ink-2">
        {t('admin.person.creditsLeft', { count: person.credits, formatted: format.number(person.credits) })}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <Field label={t('admin.person.creditsAmount')} className="w-24">
          {(aria) => (
            <Input
              {...aria}
              type="number"
              inputMode="numeric"
              min={1}
              max={MOST_CREDITS}
              value={amount}
              onChange={({ target }) => setAmount(target.value)}
            />
          )}
        </Field>
        <Field label={t('admin.person.creditsReason')} className="min-w-40 flex-1">
          {(aria) => (
            <Input
              {...aria}
              maxLength={REASON_LENGTH}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="outline" pending={give.isPending} disabled={!fits}>
          {t('admin.person.creditsGive')}
        </Button>
      </div>
    </form>
  )
}
