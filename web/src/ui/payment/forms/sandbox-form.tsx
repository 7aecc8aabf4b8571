import type { ParseKeys } from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { type PayIn, paySubscription, type SampleCardOut, syncSubscription } from '@/api/generated'
import { log } from '@/lib/browser/log'
import { Button } from '../../button'
import { Field, Input } from '../../form/field'
import { useServerForm } from '../../form/use-server-form'
import { PayButton } from '../pay-button'
import { SandboxNotice } from '../sandbox-notice'
import type { PaymentFormProps } from '../types'

type Card = PayIn['card']

const fields = ['number', 'expiry', 'cvc'] as const
const filled = (message: ParseKeys) => v.pipe(v.string(), v.trim(), v.nonEmpty(message))
const card = v.object({
  number: filled('payments.sandbox.missing.number'),
  expiry: filled('payments.sandbox.missing.expiry'),
  cvc: filled('payments.sandbox.missing.cvc'),
})
const emptyCard: Card = { number: '', expiry: '', cvc: '' }

/** Why a test card was refused, and the field to look at for it. */
const faults = {
  card_declined: 'number',
  insufficient_funds: 'number',
  not_a_test_card: 'number',
  expired_card: 'expiry',
  incorrect_expiry: 'expiry',
  incorrect_cvc: 'cvc',
} as const satisfies Record<string, keyof Card>

const isFault = (code = ''): code is keyof typeof faults => code in faults

/** In groups of four, as on the card itself. */
const grouped = (number: string) => number.replace(/\D/g, '').replace(/(\d{4})(?=\d)/g, '$1 ')

/** What completes a test card: any month that has not passed will do. */
const completed = (number: string, today = new Date()): Card => ({
  number: grouped(number),
  expiry: `12/${String((today.getFullYear() + 3) % 100).padStart(2, '0')}`,
  cvc: '123',
})

/** Whether what is not open any more was paid: in another window, or by a try whose answer was lost. */
async function isPro(): Promise<boolean> {
  try {
    return (await syncSubscription({ throwOnError: true })).data.isPro
  } catch (error) {
    log('The subscription could not be synced', error)
    return false
  }
}

/** Our own form for the bank that is none: it takes its test cards, and asks once more where a bank would. */
export default function SandboxForm({ start, label, reason, onPaid, onFailed }: PaymentFormProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Card>()
  const [confirming, setConfirming] = useState(false)
  const { form, fieldError, isPending, onSubmit, reset } = useServerForm({
    schema: card,
    values: emptyCard,
    fields,
    submit: (typed) => pay(typed, false),
  })
  const { setFocus } = form
  // the button that brought the form, or the bank's question, is gone
  useEffect(() => {
    if (!asked) setFocus('number')
  }, [asked, setFocus])

  async function pay(typed: Card, confirmed: boolean) {
    try {
      const body = { clientSecret: start.clientSecret ?? '', card: typed, confirmed }
      const { data } = await paySubscription({ body, throwOnError: true })
      if (data.status === 'requires_confirmation') return setAsked(typed)
      setAsked(undefined)
      if (data.status === 'succeeded') return onPaid()
      const { code } = data
      onFailed(isFault(code) ? t(`payments.sandbox.declined.${code}`) : (data.message ?? t('payments.unknown')))
      if (isFault(code)) setFocus(faults[code], { shouldSelect: true })
    } catch (error) {
      const gone = error instanceof ApiError && error.status === 404
      if (gone && (await isPro())) return onPaid()
      setAsked(undefined)
      if (!isUnauthorized(error)) onFailed(gone ? t('account.due.nothing') : errorMessage(error))
    }
  }

  async function agree(typed: Card) {
    setConfirming(true)
    await pay(typed, true)
    setConfirming(false)
  }

  if (asked) {
    return (
      <section aria-labelledby="bank-asks" className="rounded-lg bg-sunken p-5">
        <h3 id="bank-asks" className="font-medium">
          {t('payments.sandbox.confirm.title')}
        </h3>
        <p className="mt-1 text-sm leading-relaxed text-ink-2">{t('payments.sandbox.confirm.body')}</p>
        <div className="mt-5 flex flex-wrap gap-2">
          <Button autoFocus pending={confirming} onClick={() => void agree(asked)}>
            {t('payments.sandbox.confirm.agree')}
          </Button>
          <Button
            variant="outline"
            disabled={confirming}
            onClick={() => {
              setAsked(undefined)
              onFailed(t('payments.sandbox.confirm.refused'))
            }}
          >
            {t('payments.sandbox.confirm.refuse')}
          </Button>
        </div>
      </section>
    )
  }

  // the browser must not offer the user's real cards here
  const control = {
    dir: 'ltr',
    inputMode: 'numeric',
    autoComplete: 'off',
    className: 'rtl:text-end tabular-nums',
  } as const
  return (
    <form noValidate className="space-y-5" onSubmit={onSubmit}>
      <SandboxNotice />
      <Field label={t('payments.sandbox.number')} error={fieldError('number')}>
        {(aria) => <Input {...control} {...aria} {...form.register('number')} />}
      </Field>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field
          label={t('payments.sandbox.expiry')}
          hint={t('payments.sandbox.expiryHint')}
          error={fieldError('expiry')}
        >
          {(aria) => <Input {...control} inputMode="text" {...aria} {...form.register('expiry')} />}
        </Field>
        <Field label={t('payments.sandbox.cvc')} error={fieldError('cvc')}>
          {(aria) => <Input {...control} {...aria} {...form.register('cvc')} />}
        </Field>
      </div>
      <PayButton label={label} reason={reason} pending={isPending} />
      <TestCards
        cards={start.client.cards ?? []}
        onUse={(number) => {
          reset(completed(number))
          setFocus('number')
        }}
      />
    </form>
  )
}

/** The cards that the form takes; a tap fills one in. */
function TestCards({ cards, onUse }: { cards: readonly SampleCardOut[]; onUse: (number: string) => void }) {
  const { t } = useTranslation()
  if (cards.length === 0) return null
  return (
    <section aria-labelledby="test-cards">
      <h3 id="test-cards" className="text-sm font-medium">
        {t('payments.sandbox.cards')}
      </h3>
      <ul className="mt-2 divide-y divide-line overflow-hidden rounded-md border border-line">
        {cards.map(({ number, outcome }) => {
          const meaning = t(`payments.sandbox.outcome.${outcome}`)
          return (
            <li key={number}>
              <button
                type="button"
                aria-label={t('payments.sandbox.use', { number: grouped(number), outcome: meaning })}
                onClick={() => onUse(number)}
                className="flex min-h-11 w-full flex-col items-start px-3 py-2 text-start text-note hover:bg-sunken"
              >
                <bdi dir="ltr" className="tabular-nums">
                  {grouped(number)}
                </bdi>
                <span className="text-ink-2">{meaning}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
