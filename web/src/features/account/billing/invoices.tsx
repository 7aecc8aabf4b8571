import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InvoiceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { StatusPill } from '@/ui/status-pill'
import { AccountSection } from '../components/account-section'

/** The latest invoices, each with what became of it and its document. */
export function Invoices({ invoices }: { invoices: readonly InvoiceOut[] }) {
  const { t } = useTranslation()
  return (
    <AccountSection title={t('account.billing.title')} lead={t('account.billing.lead')} className="py-2 md:py-2">
      <ul className="divide-y divide-line">
        {invoices.map((invoice) => (
          <Row key={invoice.id} invoice={invoice} />
        ))}
      </ul>
    </AccountSection>
  )
}

function Row({ invoice }: { invoice: InvoiceOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { number, currency, created, due_at, invoice_pdf, status, tax } = invoice
  const paid = status === 'paid'
  const amount = paid ? invoice.amount_paid : status === 'open' ? invoice.amount_due : invoice.total
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className={cn('min-w-20 font-medium tabular-nums', status === 'void' && 'text-ink-2 line-through')}>
        {format.exact(amount, currency)}
      </span>
      <span className="text-sm text-ink-2">{format.longDate(created)}</span>
      {tax !== null && status !== 'void' && (
        <span className="text-sm text-ink-2">{t('account.billing.tax', { amount: format.exact(tax, currency) })}</span>
      )}
      {status === 'void' ? (
        <StatusPill tone="quiet">{t('account.billing.void')}</StatusPill>
      ) : (
        !paid && <StatusPill tone="warn">{t('account.billing.open')}</StatusPill>
      )}
      {status === 'open' && due_at !== null && (
        <span className="text-sm text-ink-2">{t('account.billing.due', { date: format.longDate(due_at) })}</span>
      )}
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
      <Refunded invoice={invoice} />
    </li>
  )
}

/** What was given back of an invoice, wholly or in part. */
function Refunded({ invoice: { refunded, refunded_at, amount_paid, currency } }: { invoice: InvoiceOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (refunded === 0 || refunded_at === null) return null
  const said = { amount: format.exact(refunded, currency), date: format.longDate(refunded_at) }
  return (
    <p className="basis-full text-sm text-ink-2">
      {refunded < amount_paid
        ? t('account.billing.partlyRefunded', { ...said, total: format.exact(amount_paid, currency) })
        : t('account.billing.refunded', said)}
    </p>
  )
}
