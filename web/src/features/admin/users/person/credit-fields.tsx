import { useTranslation } from 'react-i18next'
import { Field, Input } from '@/ui/form/field'

/** The most that the server gives at once, and the longest reason it takes. */
const MOST_CREDITS = 10_000
const REASON_LENGTH = 200

/** What is typed of the covers that are given, and why. */
export type TypedCredit = { amount: string; reason: string }

export const NO_CREDIT: TypedCredit = { amount: '1', reason: '' }

/** What the server would give; undefined for what it would refuse. */
export function creditOf({ amount, reason }: TypedCredit) {
  const credit = { amount: Number(amount), reason: reason.trim() }
  const fits = Number.isInteger(credit.amount) && credit.amount >= 1 && credit.amount <= MOST_CREDITS
  return fits && credit.reason ? credit : undefined
}

type Props = { typed: TypedCredit; onType: (typed: TypedCredit) => void }

/** How many covers are given, and why. */
export function CreditFields({ typed, onType }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <Field label={t('admin.person.creditsAmount')} className="w-24">
        {(aria) => (
          <Input
            {...aria}
            type="number"
            inputMode="numeric"
            min={1}
            max={MOST_CREDITS}
            value={typed.amount}
            onChange={({ target }) => onType({ ...typed, amount: target.value })}
          />
        )}
      </Field>
      <Field label={t('admin.person.creditsReason')} className="min-w-40 flex-1">
        {(aria) => (
          <Input
            {...aria}
            maxLength={REASON_LENGTH}
            value={typed.reason}
            onChange={({ target }) => onType({ ...typed, reason: target.value })}
          />
        )}
      </Field>
    </>
  )
}
