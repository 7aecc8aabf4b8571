import { useEffect, useRef } from 'react'
import { ApiError } from '@/api/errors/api-error'
import type { CoverLettering } from '@/api/generated'
import { useAutosave } from '@/ui/autosave/use-autosave'
import { useSaveLettering } from '../api/mutations'
import { isSame } from '../model/lettering'
import type { Editor } from './use-editor'

/** So long work rests before it is saved, in milliseconds. */
const PAUSE = 1_500
/** The longest step of work, in milliseconds. */
const LONGEST_STEP = 5 * 60_000

const hasMovedOn = (error: unknown) => error instanceof ApiError && error.code === 'version_conflict'

/**
 * Saves the words of a cover by itself.
 *
 * The history gets a version for each step of work, not for each save: what is saved within five minutes of the first
 * save of this visit takes the place of that one. Another style, words set anew and a restore begin a step of their own,
 * and so does whatever comes after five minutes or a reload. The version that was there before is always kept.
 */
export function useLetteringAutosave(base: CoverLettering, setBase: (stored: CoverLettering) => void, editor: Editor) {
  const save = useSaveLettering(base.cover.id)
  const step = useRef<{ version: number; began: number; chapter: number }>(undefined)
  const latest = useRef({ base, editor })
  useEffect(() => {
    latest.current = { base, editor }
  })

  async function store(version = latest.current.base.version): Promise<void> {
    const { lettering, chapter } = latest.current.editor
    const now = Date.now()
    const known = step.current
    const continues =
      known !== undefined && known.version === version && known.chapter === chapter && now - known.began < LONGEST_STEP
    const stored = await save.mutateAsync({ version, lettering, continues })
    step.current = { version: stored.version, began: continues ? known.began : now, chapter }
    // what was sent and not what came back: the server writes the same in another order
    const saved = { ...stored, lettering }
    latest.current.base = saved
    setBase(saved)
  }
  const autosave = useAutosave({
    content: editor.lettering,
    dirty: !isSame(editor.lettering, base.lettering),
    pause: PAUSE,
    held: editor.lettering === undefined,
    isConflict: hasMovedOn,
    isSaved: () => isSame(latest.current.editor.lettering, latest.current.base.lettering),
    store,
  })
  return {
    ...autosave,
    /** Whatever is saved next begins a step of its own. */
    begin: () => {
      step.current = undefined
      autosave.forget()
    },
  }
}
