import { useTranslation } from 'react-i18next'
import type { PaymentsOverview } from '@/api/generated'

/** Which emails about payments come from here and which from the provider; for Stripe, what to set there. */
export function PaymentEmails({
  overview: { provider, sendsReceipts, sendsTrialNotices, sendsCardNotices, sendsRefundNotices },
}: {
  overview: PaymentsOverview
}) {
  const { t } = useTranslation()
  return (
    <ul className="list-disc space-y-2 ps-5 text-note leading-relaxed">
      <li>{t('admin.payment.emails.ours')}</li>
      <li>{t(sendsReceipts ? 'admin.payment.emails.receiptsTheirs' : 'admin.payment.emails.receiptsOurs')}</li>
      <li>{t(sendsTrialNotices ? 'admin.payment.emails.trialsTheirs' : 'admin.payment.emails.trialsOurs')}</li>
      <li>{t(sendsCardNotices ? 'admin.payment.emails.cardsTheirs' : 'admin.payment.emails.cardsOurs')}</li>
      <li>{t(sendsRefundNotices ? 'admin.payment.emails.refundsTheirs' : 'admin.payment.emails.refundsOurs')}</li>
      {provider === 'stripe' && (
        <>
          <li>{t(sendsReceipts ? 'admin.payment.emails.stripeOn' : 'admin.payment.emails.stripeOff')}</li>
          <li>{t('admin.payment.emails.stripeOthers')}</li>
        </>
      )}
    </ul>
  )
}
