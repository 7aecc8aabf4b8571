import { CircleAlert, PenLine, RotateCcw, Shuffle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { useFailureMessage } from '../../hooks/use-failure-message'
import { type Failure, mayStillCome } from '../../model/failure'

type Props = {
  failure: Failure
  /** It is one of several: only this one is tried again. */
  one: boolean
  onRetry: () => void
  onEdit: () => void
  /** Another service that may take what this one refused. */
  elsewhere?: { label: string; onTry: () => void } | undefined
}

/** What went wrong, what it cost, what to do now. */
export function FailureCard({ failure, one, onRetry, onEdit, elsewhere }: Props) {
  const { t } = useTranslation()
  const words = useFailureMessage()
  const refused = failure.kind === 'refused'
  const hopeless = refused || failure.kind === 'site'
  return (
    <div role="alert" className="rounded-xl bg-raised p-4 shadow-2">
      <div className="flex gap-3">
        <CircleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0 text-danger" />
        <div className="min-w-0 text-sm leading-relaxed">
          <p className="font-medium">{t('generator.failed.title')}</p>
          <p className="text-ink-2">{words(failure)}</p>
          <p className="text-ink-2">
            {t(mayStillCome(failure) ? 'generator.failed.mayCome' : 'generator.failed.uncounted')}
          </p>
        </div>
      </div>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button size="sm" variant={refused ? 'primary' : 'ghost'} onClick={onEdit}>
          <PenLine />
          {t('generator.failed.edit')}
        </Button>
        {refused && elsewhere && (
          <Button size="sm" variant="outline" onClick={elsewhere.onTry}>
            <Shuffle aria-hidden />
            {t('generator.failed.elsewhere', { service: elsewhere.label })}
          </Button>
        )}
        {!hopeless && (
          <Button size="sm" onClick={onRetry}>
            <RotateCcw />
            {t(one ? 'generator.variants.retry' : 'generator.failed.retry')}
          </Button>
        )}
      </div>
    </div>
  )
}
