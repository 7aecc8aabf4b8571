import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { useElapsed } from '../../hooks/use-elapsed'
import { phaseOf, type Variant } from '../../model/generation'

type Props = {
  /** The one that is shown; none while it is being asked for. */
  variant: Extract<Variant, { step: 'running' }> | undefined
  /** When its status came, in ms of `performance.now()`. */
  at: number
  /** The usual time in ms, before the generation says so itself. */
  expectedMs: number | null
  onCancel: () => void
  /** Given while others run too. */
  onCancelAll: (() => void) | undefined
  canceling: boolean
}

// past this many times the usual, the page says that there is no need to wait
const LATE = 2

/** What is being done and for how long; no more is known, so no more is shown. */
export function ProgressCard({ variant, at, expectedMs, onCancel, onCancelAll, canceling }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const status = variant?.status
  const elapsed = useElapsed(status?.elapsedMs ?? 0, at)
  const usual = status?.expectedMs ?? expectedMs
  const seconds = (ms: number) => {
    const count = Math.max(1, Math.round(ms / 1000))
    return t('generator.progress.seconds', { count, formatted: format.number(count) })
  }
  const phase = phaseOf(variant)
  const paused = phase === 'paused'
  const late = !paused && usual !== null && elapsed > usual * LATE
  const position = status?.queuePosition
  return (
    <div className="flex min-h-14 items-center gap-4 rounded-xl bg-raised py-2 ps-5 pe-2 shadow-2">
      <div className="min-w-0 flex-1 text-note leading-snug">
        <p className="font-medium">
          {position && position > 1 && !paused
            ? t('generator.progress.position', { count: position, formatted: format.number(position) })
            : t(`generator.progress.${phase}`)}
        </p>
        <p className="mt-0.5 text-ink-2 tabular-nums">
          {late
            ? t('generator.progress.late')
            : usual === null
              ? seconds(elapsed)
              : t('generator.progress.elapsed', { elapsed: seconds(elapsed), usual: seconds(usual) })}
        </p>
      </div>
      <div className="flex justify-end max-sm:flex-col">
        <Button variant="ghost" onClick={onCancel} pending={canceling} disabled={canceling || !variant}>
          {t(onCancelAll ? 'generator.variants.cancelOne' : 'common.cancel')}
        </Button>
        {onCancelAll && (
          <Button variant="ghost" onClick={onCancelAll} disabled={canceling}>
            {t('generator.variants.cancelAll')}
          </Button>
        )}
      </div>
    </div>
  )
}
