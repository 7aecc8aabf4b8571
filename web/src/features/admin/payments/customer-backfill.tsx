import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type BackfillOut, backfillCustomers } from '@/api/generated'
import { i18n } from '@/i18n'
import { formatters, useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { backfillQuery, backfillTask, invalidateStats } from './queries'

/** Makes customers of everybody; it goes on at the server, whether anybody watches or not. */
export function CustomerBackfill({ provider }: { provider: string }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: progress } = useQuery(backfillQuery(provider))
  const running = progress?.running === true
  const watched = useRef(false)
  const start = useMutation({
    mutationFn: async () => (await backfillCustomers({ path: backfillTask(provider), throwOnError: true })).data,
    // the answer waits for the end of a short one; a long one is watched from then on
    onSuccess: (data) => {
      watched.current = true
      queryClient.setQueryData(backfillQuery(provider).queryKey, data)
    },
    onError: useFailureToast(),
  })
  useEffect(() => {
    if (!progress) return
    if (progress.running) watched.current = true
    else if (watched.current) {
      watched.current = false
      tellEnd(progress)
      void invalidateStats(queryClient)
    }
  }, [progress, queryClient])
  const pending = running || start.isPending
  return (
    <div className="space-y-4">
      <Button
        variant="outline"
        pending={pending}
        pendingLabel={t('admin.payment.backfill.running')}
        onClick={() => start.mutate()}
      >
        <UsersRound aria-hidden />
        {t('admin.payment.backfill.start')}
      </Button>
      <div role="status">{progress && (running || progress.summary.processed > 0) && <Summary {...progress} />}</div>
    </div>
  )
}

function tellEnd({ summary: { processed, errors } }: BackfillOut): void {
  const { number } = formatters(i18n.language)
  toast({
    title: i18n.t('admin.payment.backfill.done'),
    description: i18n.t('admin.payment.backfill.doneWith', { processed: number(processed), errors: number(errors) }),
    variant: errors > 0 ? 'destructive' : 'default',
  })
}

function Summary({ summary: { processed, errors } }: BackfillOut) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
      <div className="flex gap-2">
        <dt className="text-ink-2">{t('admin.payment.backfill.processed')}</dt>
        <dd className="font-medium tabular-nums">{format.number(processed)}</dd>
      </div>
      <div className="flex gap-2">
        <dt className="text-ink-2">{t('admin.payment.backfill.errors')}</dt>
        <dd className="font-medium tabular-nums">{format.number(errors)}</dd>
      </div>
    </dl>
  )
}
