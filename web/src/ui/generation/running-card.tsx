import { useTranslation } from 'react-i18next'
import type { GenerationStatus } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { PictureSoFar } from './picture-so-far'

type Props = {
  title: string
  /** How it stands; undefined until that is known. */
  now: GenerationStatus | undefined
  canceling: boolean
  onCancel: () => void
}

/** A picture that is being made: how it stands, and the way to stop it. */
export function RunningCard({ title, now, canceling, onCancel }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const position = now?.queuePosition
  const soFar = now?.preview ?? undefined
  const seconds = Math.max(1, Math.round((now?.elapsedMs ?? 0) / 1000))
  const phase =
    position && position > 1
      ? t('generator.progress.position', { count: position, formatted: number(position) })
      : t(now?.status === 'processing' ? 'generator.progress.working' : 'generator.progress.queued')
  const usual = now?.expectedMs ? Math.max(1, Math.round(now.expectedMs / 1000)) : undefined
  const counted = (count: number) => t('generator.progress.seconds', { count, formatted: number(count) })
  return (
    <li className="flex items-center gap-4 rounded-xl bg-surface p-3 shadow-1">
      <span aria-hidden className="relative block aspect-2/3 w-11 shrink-0 rounded-cover bg-sunken">
        {soFar !== undefined && now && <PictureSoFar id={now.id} number={soFar} />}
        <span className="being-made absolute inset-0 rounded-cover" />
      </span>
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
        pending={canceling}
        onClick={onCancel}
      >
        {t('common.cancel')}
      </Button>
    </li>
  )
}
