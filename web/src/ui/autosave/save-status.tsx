import { Check, CloudOff, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import { Button } from '@/ui/button'
import type { SaveState } from './use-autosave'

const ICONS = { saved: Check, unsaved: undefined, saving: LoaderCircle, failed: CloudOff, conflict: CloudOff }

type Props = {
  autosave: { state: SaveState; error: unknown; flush: () => Promise<boolean> }
  words: (state: SaveState) => string
  /** What the button says that saves before work rests; there is none without. */
  saveNow?: string
}

/** Whether everything is saved, and the way to try again. */
export function SaveStatus({ autosave: { state, error, flush }, words, saveNow }: Props) {
  const { t } = useTranslation()
  const Icon = ICONS[state]
  const failed = state === 'failed' || state === 'conflict'
  const label = failed ? t('errors.retry') : state === 'unsaved' ? saveNow : undefined
  return (
    <div className="flex items-center gap-2">
      <p role="status" className="flex items-center gap-1.5 text-note text-ink-2">
        {Icon && <Icon aria-hidden className={state === 'saving' ? 'size-4 animate-spin' : 'size-4'} />}
        <span className={failed ? 'text-danger' : undefined}>{words(state)}</span>
        {state === 'failed' && <span className="sr-only">{errorMessage(error)}</span>}
      </p>
      {label && (
        <Button variant="outline" size="sm" onClick={() => void flush()}>
          {label}
        </Button>
      )}
    </div>
  )
}
