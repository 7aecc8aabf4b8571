import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { LookRunOut } from '@/api/generated'
import { isOpenRun } from '@/api/queries/look-runs'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'

type Props = {
  run: LookRunOut
  /** This page is going through the covers now. */
  working: boolean
  /** It was done on this page just now. */
  fresh: boolean
  onContinue: () => void
  onUndo: () => void
}

/** How far the look is applied or taken back, what became of it, and the way back. */
export function RunNote({ run, working, fresh, onContinue, onUndo }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { state, done, total, changed, left, kept } = run
  const open = isOpenRun(run)
  const far = { done: number(done), total: number(total) }
  const back = state === 'undoing' || state === 'undone'
  if (!open && (back ? !fresh : changed === 0 && left === 0)) return null

  const words = open
    ? t(back ? 'series.run.undoing' : working ? 'series.run.applying' : 'series.run.interrupted', far)
    : back
      ? t('series.run.undone')
      : t('series.run.applied', { count: changed, formatted: number(changed) })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl bg-sunken px-5 py-4">
      <div className="min-w-0 flex-1 basis-60 text-sm">
        <p role="status">{words}</p>
        {open && <progress aria-label={words} value={done} max={Math.max(1, total)} className="mt-2 w-full" />}
        {!open && !back && left > 0 && (
          <p className="mt-1 text-ink-2">{t('series.run.left', { count: left, formatted: number(left) })}</p>
        )}
        {!open && back && kept > 0 && (
          <p className="mt-1 text-ink-2">{t('series.run.kept', { count: kept, formatted: number(kept) })}</p>
        )}
      </div>
      {open && !working && (
        <Button variant="primary" onClick={onContinue}>
          {t('series.run.continue')}
        </Button>
      )}
      {!back && !(open && working) && (open || changed > 0) && (
        <Button variant="outline" disabled={working} onClick={onUndo}>
          <Undo2 aria-hidden className="rtl:-scale-x-100" />
          {t('series.run.undo')}
        </Button>
      )}
    </div>
  )
}
