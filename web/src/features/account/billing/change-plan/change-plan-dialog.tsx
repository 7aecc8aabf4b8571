import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChangePreviewOut, OfferedPriceOut } from '@/api/generated'
import { previewPriceChangeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { PeriodChoice } from '@/ui/payment/period-choice'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import { useChangePrice } from '../mutations'

type Props = { prices: readonly OfferedPriceOut[]; onClose: () => void }

/** Another price: what it would charge, asked of the provider, and the change, made once it is agreed to. */
export default function ChangePlanDialog({ prices, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [chosen, choose] = useState(() => prices.find(({ current }) => !current)?.priceId ?? '')
  // amounts change with every minute: what is shown is asked for anew each time
  const preview = useQuery({
    ...previewPriceChangeOptions({ query: { priceId: chosen } }),
    enabled: chosen !== '',
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const change = useChangePrice()
  const told = preview.data
  const due = told && told.due > 0 ? format.exact(told.due, told.currency) : null
  return (
    <Dialog open onOpenChange={(open) => open || change.isPending || onClose()}>
      <DialogContent title={t('account.plan.title')} description={t('account.plan.lead')}>
        <PeriodChoice prices={prices} chosen={chosen} onChoose={choose} markCurrent disabled={change.isPending} />
        <div className="mt-5" aria-live="polite">
          {preview.isError ? (
            <QueryError title={t('account.plan.failed')} query={preview} />
          ) : told ? (
            <Amounts preview={told} />
          ) : (
            <Waiting />
          )}
        </div>
        <DialogFooter>
          <Button variant="outline" disabled={change.isPending} onClick={onClose}>
            {t('account.plan.keep')}
          </Button>
          <Button
            pending={change.isPending}
            pendingLabel={t('account.plan.running')}
            disabled={!told || preview.isFetching}
            onClick={() =>
              told &&
              change.mutate(
                { priceId: told.priceId, asOf: told.asOf },
                { onSuccess: onClose, onError: () => void preview.refetch() },
              )
            }
          >
            {due ? t('account.plan.confirmPay', { amount: due }) : t('account.plan.confirm')}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function Amounts({ preview: { due, credit, nextCharge, nextAt, currency } }: { preview: ChangePreviewOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const next = t('account.plan.nextOn', { amount: format.exact(nextCharge, currency), date: format.longDate(nextAt) })
  const rows = [
    ...(credit > 0 ? [['credit', format.exact(credit, currency)] as const] : []),
    ['due', format.exact(due, currency)] as const,
    ['next', next] as const,
  ]
  return (
    <dl className="divide-y divide-line border-y border-line text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5">
          <dt className="text-ink-2">{t(`account.plan.${name}`)}</dt>
          <dd className={name === 'due' ? 'font-medium tabular-nums' : 'tabular-nums'}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** As high as the amounts, so that the buttons stay where they are. */
function Waiting() {
  const { t } = useTranslation()
  return (
    <div role="status" className="space-y-2">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton className="h-9 rounded-md" />
      <Skeleton className="h-9 rounded-md" />
      <Skeleton className="h-9 rounded-md" />
    </div>
  )
}
