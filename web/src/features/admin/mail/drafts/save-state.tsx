import { Check, CloudOff, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import { Button } from '@/ui/button'
import type { DraftAutosave } from './use-draft-autosave'

const ICONS = { saved: Check, unsaved: undefined, saving: LoaderCircle, failed: CloudOff, conflict: CloudOff }

/** Whether the draft is saved, and the way to save it at once. */
export function DraftSaveState({ autosave: { state, error, flush } }: { autosave: DraftAutosave }) {
  const { t } = useTranslation()
  if (state === 'new') return null
  const Icon = ICONS[state]
  const failed = state === 'failed' || state === 'conflict'
  return (
    <div className="flex items-center gap-2">
      <p role="status" className="flex items-center gap-1.5 text-note text-ink-2">
        {Icon && <Icon aria-hidden className={state === 'saving' ? 'size-4 animate-spin' : 'size-4'} />}
        <span className={failed ? 'text-danger' : undefined}>
          {state === 'failed' ? errorMessage(error) : t(`admin.bulk.drafts.state.${state}`)}
        </span>
      </p>
      {(state === 'unsaved' || failed) && (
        <Button variant="outline" size="sm" onClick={() => void flush()}>
          {t(failed ? 'errors.retry' : 'admin.bulk.drafts.save')}
        </Button>
      )}
    </div>
  )
}
