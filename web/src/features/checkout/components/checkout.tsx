import { useQuery } from '@tanstack/react-query'
import { LockKeyhole, RotateCcw } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserOut } from '@/api/generated'
import { getCapabilitiesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { offeredPricesQuery } from '@/api/queries/offered-prices'
import { usePrice } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { paymentFormFor } from '@/ui/payment/payment-form'
import { PeriodChoice } from '@/ui/payment/period-choice'
import { SandboxNotice } from '@/ui/payment/sandbox-notice'
import { SkeletonWord, Spinner } from '@/ui/states'
import { useBuyer } from '../hooks/use-buyer'
import { useCheckout } from '../hooks/use-checkout'
import { usePromotion } from '../hooks/use-promotion'
import { BuyerStep } from './buyer-step'
import { PromotionField } from './promotion-field'

const renewals = ['month', 'year', 'week', 'day'] as const

/** The price, the way to the form, and the form. */
export function Checkout({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const usual = usePrice()
  const { data: offered } = useQuery(offeredPricesQuery())
  const [chosen, setChosen] = useState<string>()
  const prices = offered?.prices ?? []
  const price = prices.find(({ priceId }) => priceId === chosen) ?? usual
  const { data: capabilities } = useQuery(getCapabilitiesOptions())
  const promotion = usePromotion(chosen)
  const { told } = promotion
  const checkout = useCheckout({ onCodeRefused: promotion.refetch })
  const { opened, state } = checkout
  const taxed = capabilities?.payment.taxes ?? false
  const buyer = useBuyer({ taxed, priceId: chosen, promotionCode: told?.promotionCode })
  const Form = opened && paymentFormFor(opened)
  const first = opened?.client.firstPayment
  const taxes = buyer.taxes.data
  const amount = taxes
    ? format.exact(first ? taxes.total : taxes.due, taxes.currency)
    : told
      ? format.price(first ? told.reduced : told.due, told.currency)
      : price && format.price(price.amount, price.currency)
  const busy = state === 'opening' || state === 'leaving' || state === 'paid'
  const renewal = renewals.find((interval) => interval === price?.interval) ?? 'month'
  return (
    <section
      aria-labelledby="checkout-title"
      className="rounded-xl bg-surface p-6 shadow-2 ring-1 ring-line-strong md:p-8"
    >
      <h2 id="checkout-title" className="text-lg font-medium">
        {t('checkout.card.title')}
      </h2>
      <dl className="mt-5 flex items-baseline justify-between gap-4 border-y border-line py-4">
        <dt className="text-sm text-ink-2">{t('landing.pricing.pro.name')}</dt>
        <dd className="display text-2xl tabular-nums">
          {price ? format.priceEach(price.amount, price.currency, price.interval) : <SkeletonWord />}
        </dd>
      </dl>
      {prices.length > 1 && (
        <div className="mt-5">
          <PeriodChoice
            prices={prices}
            chosen={chosen ?? prices[0]?.priceId}
            disabled={busy}
            onChoose={(priceId) => {
              setChosen(priceId)
              checkout.close()
            }}
          />
        </div>
      )}
      <p className="mt-3 mb-6 text-note leading-relaxed text-ink-2">
        {!price ? (
          <SkeletonWord />
        ) : first ? (
          t('checkout.card.trial', { price: amount, date: format.longDate(first) })
        ) : (
          t(`checkout.card.renews.${renewal}`)
        )}
      </p>
      {taxed && state !== 'paid' && state !== 'leaving' && (
        <div className="mb-6">
          <BuyerStep buyer={buyer} disabled={busy} onChange={checkout.close} />
        </div>
      )}
      {capabilities?.payment.promotionCodes && (!taxed || buyer.known) && (
        <div className="mb-6">
          <PromotionField promotion={promotion} disabled={busy} onChange={checkout.close} />
        </div>
      )}
      {opened?.client.kind === 'redirect' && opened.redirectUrl ? (
        <Away url={opened.redirectUrl} />
      ) : state === 'paid' ? (
        <Spinner className="min-h-24" />
      ) : Form && opened ? (
        <Suspense fallback={<Spinner className="min-h-48" />}>
          <Form
            start={opened}
            email={user.email}
            label={
              opened.client.intent !== 'setup'
                ? t('payments.pay', { amount })
                : t(first ? 'payments.startTrial' : 'payments.setUp')
            }
            reason={checkout.reason}
            onPaid={checkout.paid}
            onFailed={checkout.failed}
          />
        </Suspense>
      ) : capabilities?.payment.client === 'none' && state === 'idle' ? (
        <Closed />
      ) : (
        <div className="space-y-5">
          {capabilities?.payment.client === 'sandbox' && <SandboxNotice />}
          <Button
            variant="accent"
            size="lg"
            className="w-full"
            pending={state === 'opening'}
            disabled={state === 'leaving' || promotion.pending || !buyer.ready}
            // what was typed counts: its amount is shown before anything is begun with it
            onClick={() => (promotion.open ? promotion.apply() : checkout.open(chosen, told?.promotionCode))}
          >
            {t('checkout.card.subscribe')}
          </Button>
        </div>
      )}
      <ul className="mt-6 flex flex-wrap gap-x-6 gap-y-2 border-t border-line pt-5 text-note text-ink-2">
        <li className="flex items-center gap-2">
          <LockKeyhole aria-hidden className="size-4 text-ok" />
          {t('checkout.card.secure')}
        </li>
        <li className="flex items-center gap-2">
          <RotateCcw aria-hidden className="size-4 text-ok" />
          {t('checkout.card.cancel')}
        </li>
      </ul>
    </section>
  )
}

/** Shown instead of the payment form while no payment provider is configured. */
function Closed() {
  const { t } = useTranslation()
  return (
    <div className="rounded-md bg-sunken px-4 py-3 text-sm leading-relaxed">
      <p className="font-medium">{t('checkout.card.closed.title')}</p>
      <p className="mt-0.5 text-ink-2">{t('checkout.card.closed.body')}</p>
    </div>
  )
}

/** On the way to a page of the provider's, with a link for a browser that did not go. */
function Away({ url }: { url: string }) {
  const { t } = useTranslation()
  return (
    <div role="status" className="space-y-4 text-center">
      <p className="text-sm text-ink-2">{t('checkout.card.redirecting')}</p>
      <Button asChild size="lg" className="w-full">
        <a href={url}>{t('checkout.card.continue')}</a>
      </Button>
    </div>
  )
}
