import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PeopleChange } from '@/api/generated'
import { Field, Input } from '@/ui/form/field'
import { CreditFields, creditOf, NO_CREDIT, type TypedCredit } from '../person/credit-fields'
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
export function BulkCreditFields({ onGiven }: Props) {
  const [typed, setTyped] = useState<TypedCredit>(NO_CREDIT)
  return (
    <div className="flex flex-wrap gap-3">
      <CreditFields
        typed={typed}
        onType={(next) => {
          setTyped(next)
          onGiven(creditOf(next))
        }}
      />
    </div>
  )
}
