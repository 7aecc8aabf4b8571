import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PriceMoveOut, stopPriceMove } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { invalidateMoves } from './queries'

const tones: Record<PriceMoveOut['state'], Tone> = { running: 'warn', stopped: 'quiet', finished: 'ok' }

/** The latest moves with how far they have come; those that run can be stopped. */
export function MoveList({ moves }: { moves: readonly PriceMoveOut[] }) {
  const { t } = useTranslation()
  const [stopping, setStopping] = useState<number | null>(null)
  const queryClient = useQueryClient()
  const stop = useMutation({
    mutationFn: async (id: number) => (await stopPriceMove({ path: { move_id: id }, throwOnError: true })).data,
    onSuccess: () => toast({ title: t('admin.moves.stop.done') }),
    onError: useFailureToast(),
    onSettled: async () => {
      setStopping(null)
      await invalidateMoves(queryClient)
    },
  })
  if (moves.length === 0) return null
  return (
    <>
      <h3 className="mt-8 mb-3 text-sm font-medium">{t('admin.moves.list')}</h3>
      <ul className="space-y-4">
        {moves.map((move) => (
          <li key={move.id} className="rounded-md border border-line p-4">
            <Move move={move} onStop={() => setStopping(move.id)} />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={stopping !== null}
        onOpenChange={(open) => open || stop.isPending || setStopping(null)}
        title={t('admin.moves.stop.title')}
        description={t('admin.moves.stop.body')}
        confirm={t('admin.moves.stop.confirm')}
        pending={stop.isPending}
        destructive
        onConfirm={() => stopping !== null && stop.mutate(stopping)}
      />
    </>
  )
}

function Move({ move, onStop }: { move: PriceMoveOut; onStop: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const each = (amount: number) => format.each(format.coded(amount, move.currency), move.interval)
  const left = move.leftOut.reduce((sum, { count }) => sum + count, 0)
  const figures = [
    ['waiting', move.waiting],
    ['told', move.told],
    ['pending', move.pending],
    ['moved', move.moved],
    ['stopped', move.stopped],
    ['left', left],
  ] as const
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="text-sm font-medium tabular-nums">
          {t('admin.moves.fromTo', { old: each(move.oldAmount), new: each(move.newAmount) })}
        </p>
        <StatusPill tone={tones[move.state]}>{t(`admin.moves.states.${move.state}`)}</StatusPill>
        {move.state === 'running' && (
          <Button variant="outline" size="sm" className="ms-auto" onClick={onStop}>
            {t('admin.moves.stop.label')}
          </Button>
        )}
      </div>
      <p className="mt-1 text-note text-ink-2">
        {t('admin.moves.since', {
          date: format.longDate(move.startedAt),
          count: move.noticeDays,
          formatted: format.number(move.noticeDays),
        })}
      </p>
      <dl aria-label={t('admin.moves.progress')} className="mt-3 flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {figures
          .filter(([name, count]) => count > 0 || name === 'told' || name === 'moved')
          .map(([name, count]) => (
            <div key={name} className="flex items-baseline gap-2">
              <dt className="text-ink-2">{t(`admin.moves.figures.${name}`)}</dt>
              <dd className="font-medium tabular-nums">{format.number(count)}</dd>
            </div>
          ))}
      </dl>
      {left > 0 && (
        <dl aria-label={t('admin.moves.why')} className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-note">
          {move.leftOut.map(({ reason, count }) => (
            <div key={reason} className="flex items-baseline gap-2">
              <dt className="text-ink-2">{t(`admin.moves.reasons.${reason}`)}</dt>
              <dd className="tabular-nums">{format.number(count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
