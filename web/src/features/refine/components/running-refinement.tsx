import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { codeMessage } from '@/api/errors/error-message'
import type { OpenRefinement } from '@/api/generated'
import { useInvalidatePictures } from '@/api/queries/pictures'
import { invalidateRunning } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { useCancelRefinement, useRefinementStatus } from '../api/refine'

/** A refinement under way: how it stands, and the way to stop it. */
export function RunningRefinement({ coverId, one }: { coverId: number; one: OpenRefinement }) {
  const { t, i18n } = useTranslation()
  const { number } = useFormat()
  const queryClient = useQueryClient()
  const invalidate = useInvalidatePictures(coverId)
  const cancel = useCancelRefinement()

  function reason(code: string | undefined): string {
    const known = `generator.failed.code.${code}`
    if (code && i18n.exists(known)) return t(known as 'generator.failed.code.content_refused')
    return codeMessage(code ?? '') ?? t('generator.failed.site')
  }
  const now = useRefinementStatus(one.id, (status, code) => {
    void invalidate()
    void invalidateRunning(queryClient)
    void queryClient.invalidateQueries(userQuery())
    if (status === 'completed') toast({ title: t('refine.done'), description: t('refine.doneBody') })
    else if (status === 'canceled')
      toast({ title: t('generator.canceled'), description: t('generator.failed.uncounted') })
    else {
      const description = `${reason(code)} ${t('generator.failed.uncounted')}`
      toast({ title: t('refine.failed'), description, variant: 'destructive' })
    }
  })

  const position = now?.queuePosition
  const seconds = Math.max(1, Math.round((now?.elapsedMs ?? 0) / 1000))
  const phase =
    position && position > 1
      ? t('generator.progress.position', { count: position, formatted: number(position) })
      : t(now?.status === 'processing' ? 'generator.progress.working' : 'generator.progress.queued')
  const usual = now?.expectedMs ? Math.max(1, Math.round(now.expectedMs / 1000)) : undefined
  const counted = (count: number) => t('generator.progress.seconds', { count, formatted: number(count) })
  return (
    <li className="flex items-center gap-4 rounded-xl bg-surface p-3 shadow-1">
      <span aria-hidden className="being-made relative aspect-2/3 w-11 shrink-0 rounded-cover bg-sunken" />
      <div className="min-w-0 flex-1 text-note">
        <p dir="auto" className="truncate text-sm font-medium">
          {one.asked}
        </p>
        <p role="status" className="text-ink-2">
          {phase}
        </p>
        {now && (
          <p className="text-ink-3 tabular-nums">
            {usual === undefined
              ? counted(seconds)
              : t('generator.progress.elapsed', { elapsed: counted(seconds), usual: counted(usual) })}
          </p>
        )}
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={t('gallery.running.cancelNamed', { title: one.asked })}
        pending={cancel.isPending}
        onClick={() => cancel.mutate(one.id)}
      >
        {t('common.cancel')}
      </Button>
    </li>
  )
}
