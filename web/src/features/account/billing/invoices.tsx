import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InvoiceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { StatusPill } from '@/ui/status-pill'
import { AccountSection } from '../components/account-section'

/** The latest invoices, each with its document. */
export function Invoices({ invoices }: { invoices: readonly InvoiceOut[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <AccountSection title={t('account.billing.title')} lead={t('account.billing.lead')} className="py-2 md:py-2">
      <ul className="divide-y divide-line">
        {invoices.map(({ id, number, amount_paid, amount_due, currency, created, invoice_pdf, status }) => (
          <li key={id} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <span className="min-w-20 font-medium tabular-nums">
              {format.exact(status === 'open' ? amount_due : amount_paid, currency)}
            </span>
            <span className="text-sm text-ink-2">{format.longDate(created)}</span>
            {status === 'open' && <StatusPill tone="warn">{t('account.billing.open')}</StatusPill>}
            {invoice_pdf && (
              <Button asChild variant="ghost" size="sm" className="ms-auto">
                <a
                  href={invoice_pdf}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={t('account.billing.downloadOf', { number })}
                >
                  <Download aria-hidden />
                  {t('account.billing.download')}
                </a>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </AccountSection>
  )
}
