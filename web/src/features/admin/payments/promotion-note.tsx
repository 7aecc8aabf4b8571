import { useTranslation } from 'react-i18next'
import type { PaymentsOverview } from '@/api/generated'

/** Where promotion codes are made; for the sandbox, which there are. */
export function PromotionNote({ overview: { provider } }: { overview: PaymentsOverview }) {
  const { t } = useTranslation()
  if (provider === 'sandbox')
    return <p className="text-note leading-relaxed">{t('admin.payment.promotions.sandbox')}</p>
  return (
    <div className="space-y-2 text-note leading-relaxed">
      <p>{t('admin.payment.promotions.theirs')}</p>
      {provider === 'stripe' && <p>{t('admin.payment.promotions.stripe')}</p>}
    </div>
  )
}
