import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { useJobAction } from './use-job-action'

type Props = {
  /** What is paused, for who cannot see the row. */
  label: string
  paused: boolean
  onPause: () => Promise<unknown>
  onResume: () => Promise<unknown>
}

/** Pauses a kind of jobs or a service, or lets it go on. */
export function PauseButton({ label, paused, onPause, onResume }: Props) {
  const { t } = useTranslation()
  const action = useJobAction()
  const word = t(paused ? 'admin.jobs.resume' : 'admin.jobs.pause')
  return (
    <Button
      variant="outline"
      size="sm"
      pending={action.isPending}
      aria-label={t(paused ? 'admin.jobs.resumeOf' : 'admin.jobs.pauseOf', { label })}
      onClick={() =>
        action.mutate(
          paused ? { run: onResume, done: t('admin.jobs.resumed') } : { run: onPause, done: t('admin.jobs.paused') },
        )
      }
    >
      {!action.isPending && (paused ? <Play className="rtl:-scale-x-100" /> : <Pause />)}
      {word}
    </Button>
  )
}
