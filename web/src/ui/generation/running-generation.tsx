import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { codeMessage } from '@/api/errors/error-message'
import { useCancelGeneration, useGenerationStatus } from '@/api/queries/generation'
import { invalidateRunning } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'

type Props = {
  id: string
  title: string
  /** What is said when it has ended: with a picture, and without. */
  words: { done: string; doneBody: string; failed: string }
  onEnd: () => void
}

/** A change of a picture under way: how it stands, and the way to stop it. */
export function RunningGeneration({ id, title, words, onEnd }: Props) {
  const { t, i18n } = useTranslation()
  const { number } = useFormat()
  const queryClient = useQueryClient()
  const cancel = useCancelGeneration()

  function reason(code: string | undefined): string {
    const known = `generator.failed.code.${code}`
    if (code && i18n.exists(known)) return t(known as 'generator.failed.code.content_refused')
    return codeMessage(code ?? '') ?? t('generator.failed.site')
  }
  const now = useGenerationStatus(id, (status, code) => {
    onEnd()
    void invalidateRunning(queryClient)
    void queryClient.invalidateQueries(userQuery())
    if (status === 'completed') toast({ title: words.done, description: words.doneBody })
    else if (status === 'canceled')
      toast({ title: t('generator.canceled'), description: t('generator.failed.uncounted') })
    else {
      const description = `${reason(code)} ${t('generator.failed.uncounted')}`
      toast({ title: words.failed, description, variant: 'destructive' })
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
          {title}
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
        aria-label={t('gallery.running.cancelNamed', { title })}
        pending={cancel.isPending}
        onClick={() => cancel.mutate(id)}
      >
        {t('common.cancel')}
      </Button>
    </li>
  )
}
