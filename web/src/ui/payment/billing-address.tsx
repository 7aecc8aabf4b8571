import { useTranslation } from 'react-i18next'
import type { BillingDetailsOut } from '@/api/generated'
import { countryName } from './countries'

/** Who invoices are for, as an address is written. */
export function BillingAddress({ details }: { details: BillingDetailsOut }) {
  const { t, i18n } = useTranslation()
  const { name, company, line1, postalCode, city, region, country, taxId } = details
  const lines = [
    company,
    name,
    line1,
    [postalCode, city, region].filter(Boolean).join(' '),
    countryName(country, i18n.language),
    taxId && t('payments.buyer.taxIdIs', { taxId: `\u2068${taxId}\u2069` }),
  ].filter(Boolean)
  return (
    <address className="text-sm leading-relaxed wrap-anywhere not-italic">
      {lines.map((line) => (
        <span key={line} className="block">
          <bdi>{line}</bdi>
        </span>
      ))}
    </address>
  )
}
