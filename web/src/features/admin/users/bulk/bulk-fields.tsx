import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PeopleChange } from '@/api/generated'
import { Field, Input } from '@/ui/form/field'
import { fitsCredit, MOST_CREDITS, REASON_LENGTH } from '../person/credit-limits'
import { endOfDay, tomorrow } from '../person/gift-day'

type Props = { onGiven: (given: Partial<PeopleChange> | undefined) => void }

/** Until when Pro is given. */
export function GiftFields({ onGiven }: Props) {
  const { t } = useTranslation()
  const [first] = useState(tomorrow)
  return (
    <Field label={t('admin.person.giftUntil')} className="w-44">
      {(aria) => (
        <Input
          {...aria}
          type="date"
          dir="ltr"
          min={first}
          required
          onChange={({ target: { value } }) => onGiven(value >= first ? { until: endOfDay(value) } : undefined)}
        />
      )}
    </Field>
  )
}

/** How many covers each gets, and why. */
export function CreditFields({ onGiven }: Props) {
  const { t } = useTranslation()
  const [amount, setAmount] = useState('1')
  const [reason, setReason] = useState('')
  function give(amount: string, reason: string) {
    setAmount(amount)
    setReason(reason)
    const wanted = { amount: Number(amount), reason: reason.trim() }
    onGiven(fitsCredit(wanted) ? wanted : undefined)
  }
  return (
    <div className="flex flex-wrap gap-3">
      <Field label={t('admin.person.creditsAmount')} className="w-24">
        {(aria) => (
          <Input
            {...aria}
            type="number"
            inputMode="numeric"
            min={1}
            max={MOST_CREDITS}
            value={amount}
            onChange={({ target }) => give(target.value, reason)}
          />
        )}
      </Field>
      <Field label={t('admin.person.creditsReason')} className="min-w-40 flex-1">
        {(aria) => (
          <Input
            {...aria}
            maxLength={REASON_LENGTH}
            value={reason}
            onChange={({ target }) => give(amount, target.value)}
          />
        )}
      </Field>
    </div>
  )
}
