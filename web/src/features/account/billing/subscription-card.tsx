import { useTranslation } from 'react-i18next'
import type { CardOut, PriceChangeOut, SubscriptionOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { StatusPill } from '@/ui/status-pill'
import { AccountSection } from '../components/account-section'
import { CancelButton } from './cancel/cancel-button'
import { ResumeButton } from './cancel/resume-button'
import { ChangeCardButton } from './change-card-button'
import { ChangePlanButton } from './change-plan/change-plan-button'
import { useReactivateSubscription } from './mutations'
import { PortalButton } from './portal-button'
import { isPaused, subscriptionState } from './subscription-state'

/** What is paid for Pro and until when, with the way out and the way back. */
export function SubscriptionCard({ subscription, portal }: { subscription: SubscriptionOut; portal: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { active, canceling, end } = subscriptionState(subscription)
  const { price, paused_until: pausedUntil } = subscription
  const paused = isPaused(subscription)
  return (
    <AccountSection title={t('account.subscription.title')} lead={t('account.subscription.lead')}>
      <div className="flex flex-wrap items-center gap-2">
        {(active || !paused) && (
          <StatusPill tone={active ? 'ok' : 'danger'}>
            {t(active ? 'account.subscription.active' : 'account.subscription.inactive')}
          </StatusPill>
        )}
        {paused && <StatusPill tone="warn">{t('account.subscription.pause.state')}</StatusPill>}
        {canceling && <StatusPill tone="warn">{t('account.subscription.cancelling')}</StatusPill>}
      </div>
      <dl className="mt-5 flex flex-wrap gap-x-12 gap-y-4">
        {price && (
          <div>
            <dt className="text-sm text-ink-2">{t('landing.pricing.pro.name')}</dt>
            <dd className="mt-0.5 font-medium tabular-nums">
              {format.priceEach(price.amount, price.currency, price.interval)}
            </dd>
          </div>
        )}
        {end !== null && (
          <div>
            <dt className="text-sm text-ink-2">
              {t(
                paused
                  ? 'account.subscription.pause.until'
                  : canceling
                    ? 'account.subscription.until'
                    : 'account.subscription.next',
              )}
            </dt>
            <dd className="mt-0.5 font-medium">{format.longDate(pausedUntil ?? end)}</dd>
          </div>
        )}
        {!canceling && price && typeof subscription.next_amount === 'number' && (
          <div>
            <dt className="text-sm text-ink-2">{t('account.subscription.nextCharge.label')}</dt>
            <dd className="mt-0.5 font-medium tabular-nums">
              <NextCharge
                amount={format.exact(subscription.next_amount, price.currency)}
                code={subscription.promotion_code}
              />
            </dd>
          </div>
        )}
        {subscription.card && <PaymentCard card={subscription.card} />}
      </dl>
      {active && subscription.price_change && (
        <PriceChange change={subscription.price_change} interval={price?.interval} />
      )}
      {active && subscription.card?.expires_first && (
        <p className="mt-5 rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
          {subscription.card_changeable
            ? t('account.subscription.card.expiresChange')
            : portal
              ? t('account.subscription.card.expiresFirst', { portal: t('account.subscription.portal') })
              : t('account.subscription.card.expiresHere')}
        </p>
      )}
      {typeof pausedUntil === 'number' && (
        <p className="mt-5 rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
          {active && end !== null
            ? t('account.subscription.pause.notice', {
                date: format.longDate(pausedUntil),
                until: format.longDate(end),
              })
            : t('account.subscription.pause.noticeFree', { date: format.longDate(pausedUntil) })}
        </p>
      )}
      {canceling && end !== null && (
        <p className="mt-5 rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
          {t('account.subscription.notice', { date: format.longDate(end) })}
        </p>
      )}
      {(active || paused || portal) && (
        <div className="mt-6 flex flex-wrap gap-2">
          {paused && <ResumeButton subscription={subscription} />}
          {active && !canceling && !paused && <ChangePlanButton />}
          {active && !canceling && subscription.card_changeable && <ChangeCardButton />}
          {(active || paused) &&
            (canceling ? (
              <Reactivate />
            ) : (
              <CancelButton atOnce={!active} pausable={subscription.pausable ? end : null} />
            ))}
          {portal && <PortalButton />}
        </div>
      )}
    </AccountSection>
  )
}

/** What a later renewal will cost: an administrator has announced it. */
function PriceChange({ change, interval }: { change: PriceChangeOut; interval: string | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const each = (amount: number) => format.priceEach(amount, change.currency, interval ?? '')
  return (
    <p className="mt-5 rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
      {t(change.is_next ? 'account.subscription.priceChange.next' : 'account.subscription.priceChange.later', {
        date: format.longDate(change.starts),
        old: each(change.old_amount),
        new: each(change.new_amount),
      })}
    </p>
  )
}

function NextCharge({ amount, code }: { amount: string; code: string | null | undefined }) {
  const { t } = useTranslation()
  return code ? t('account.subscription.nextCharge.withCode', { amount, code: `\u2068${code}\u2069` }) : amount
}

function PaymentCard({ card }: { card: CardOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const month = format.month(card.exp_year, card.exp_month)
  return (
    <div>
      <dt className="text-sm text-ink-2">{t('account.subscription.card.label')}</dt>
      <dd className="mt-0.5 font-medium tabular-nums">
        {t('account.subscription.card.until', {
          card: `\u2068${card.brand || t('account.subscription.card.unnamed')} •••• ${card.last4}\u2069`,
          month,
        })}
      </dd>
    </div>
  )
}

function Reactivate() {
  const { t } = useTranslation()
  const reactivate = useReactivateSubscription()
  return (
    <Button data-plan-action pending={reactivate.isPending} onClick={() => reactivate.mutate()}>
      {t('account.subscription.reactivate')}
    </Button>
  )
}
