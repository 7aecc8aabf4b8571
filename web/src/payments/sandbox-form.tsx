import { valibotResolver } from '@hookform/resolvers/valibot'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError, isUnauthorized } from '@/api/error'
import { type PayIn, paySubscription, type SampleCardOut, syncSubscription } from '@/api/generated'
import { sentenceOf } from '@/api/sentence'
import { log } from '@/lib/log'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import type { PaymentFormProps } from './form'
import { PayButton } from './pay-button'
import { SandboxNotice } from './sandbox-notice'

type Card = PayIn['card']

const fields = ['number', 'expiry', 'cvc'] as const
const filled = v.pipe(v.string(), v.trim(), v.nonEmpty())
const card = v.object({ number: filled, expiry: filled, cvc: filled })
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
  const { register, handleSubmit, reset, setFocus, formState } = useForm({
    resolver: valibotResolver(card),
    defaultValues: emptyCard,
  })
  const { errors, isSubmitting } = formState
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
      if (!isUnauthorized(error)) onFailed(gone ? t('account.due.nothing') : sentenceOf(error))
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

  // a browser must not offer somebody's real cards here
  const control = {
    dir: 'ltr',
    inputMode: 'numeric',
    autoComplete: 'off',
    className: 'rtl:text-end tabular-nums',
  } as const
  const missing = (name: (typeof fields)[number]) => errors[name] && t(`payments.sandbox.missing.${name}`)
  return (
    <form noValidate className="space-y-5" onSubmit={handleSubmit((typed) => pay(typed, false))}>
      <SandboxNotice />
      <Field label={t('payments.sandbox.number')} error={missing('number')}>
        {(aria) => <Input {...control} {...aria} {...register('number')} />}
      </Field>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field label={t('payments.sandbox.expiry')} hint={t('payments.sandbox.expiryHint')} error={missing('expiry')}>
          {(aria) => <Input {...control} inputMode="text" {...aria} {...register('expiry')} />}
        </Field>
        <Field label={t('payments.sandbox.cvc')} error={missing('cvc')}>
          {(aria) => <Input {...control} {...aria} {...register('cvc')} />}
        </Field>
      </div>
      <PayButton label={label} reason={reason} pending={isSubmitting} />
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
                className="flex min-h-11 w-full flex-col items-start px-3 py-2 text-start text-[0.8125rem] hover:bg-sunken"
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
