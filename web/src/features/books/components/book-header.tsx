import { Check, CloudOff, LoaderCircle, Redo2, Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { Button } from '@/ui/button'
import { Tooltip } from '@/ui/overlay/tooltip'
import type { BookAutosave } from '../hooks/use-book-autosave'
import type { BookEditor } from '../hooks/use-book-draft'

const ICONS = { saved: Check, unsaved: undefined, saving: LoaderCircle, failed: CloudOff, conflict: CloudOff }

/** The title, whether everything is saved, and the way back. */
export function BookHeader({ editor, autosave }: { editor: BookEditor; autosave: BookAutosave }) {
  const { t } = useTranslation()
  useShortcut('mod+z', t('books.undo'), editor.undo, { when: editor.canUndo })
  useShortcut('mod+shift+z', t('books.redo'), editor.redo, { when: editor.canRedo })
  useShortcut('mod+s', t('books.saveNow'), () => void autosave.flush())
  return (
    <div className="sticky top-[calc(3.5rem+var(--strip,0rem))] z-10 -mx-4 mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 bg-bg px-4 py-2 md:-mx-8 md:px-8">
      <h1 className="display min-w-0 truncate text-2xl lg:text-3xl" dir="auto">
        {editor.draft.facts.title || t('books.untitled')}
      </h1>
      <div className="flex items-center gap-1">
        <Saving autosave={autosave} />
        <Step label={t('books.undo')} icon={Undo2} disabled={!editor.canUndo} onClick={editor.undo} />
        <Step label={t('books.redo')} icon={Redo2} disabled={!editor.canRedo} onClick={editor.redo} />
      </div>
    </div>
  )
}

function Saving({ autosave: { state, error, flush } }: { autosave: BookAutosave }) {
  const { t } = useTranslation()
  const Icon = ICONS[state]
  const failed = state === 'failed' || state === 'conflict'
  return (
    <div className="flex items-center gap-2">
      <p role="status" className="flex items-center gap-1.5 text-note text-ink-2">
        {Icon && <Icon aria-hidden className={state === 'saving' ? 'size-4 animate-spin' : 'size-4'} />}
        <span className={failed ? 'text-danger' : undefined}>{t(`books.state.${state}`)}</span>
        {state === 'failed' && <span className="sr-only">{errorMessage(error)}</span>}
      </p>
      {failed && (
        <Button variant="outline" size="sm" onClick={() => void flush()}>
          {t('errors.retry')}
        </Button>
      )}
    </div>
  )
}

type StepProps = { label: string; icon: typeof Undo2; disabled: boolean; onClick: () => void }

function Step({ label, icon: Icon, disabled, onClick }: StepProps) {
  return (
    <Tooltip text={label}>
      <Button variant="ghost" size="icon" aria-label={label} disabled={disabled} onClick={onClick}>
        <Icon className="rtl:-scale-x-100" />
      </Button>
    </Tooltip>
  )
}
