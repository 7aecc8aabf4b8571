import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/errors/api-error'
import type { CoverLettering } from '@/api/generated'
import { useSaveLettering } from '../api/mutations'
import { isSame } from '../model/lettering'
import type { Editor } from './use-editor'

/** So long work rests before it is saved, in milliseconds. */
const PAUSE = 1_500
/** The longest step of work, in milliseconds. */
const LONGEST_STEP = 5 * 60_000

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict'

const hasMovedOn = (error: unknown) => error instanceof ApiError && error.code === 'version_conflict'

/**
 * Saves by itself, when work rests, one request at a time.
 *
 * The history gets a version for each step of work, not for each save: what is saved within five minutes of the first
 * save of this visit takes the place of that one. Another style, words set anew and a restore begin a step of their own,
 * and so does whatever comes after five minutes or a reload. The version that was there before is always kept.
 */
export function useAutosave(base: CoverLettering, setBase: (stored: CoverLettering) => void, editor: Editor) {
  const [fault, setFault] = useState<{ error: unknown; lettering: unknown }>()
  const [busy, setBusy] = useState(false)
  const save = useSaveLettering(base.cover.id)
  const step = useRef<{ version: number; began: number; chapter: number }>(undefined)
  const running = useRef<Promise<boolean>>(undefined)
  const latest = useRef({ base, editor })
  useEffect(() => {
    latest.current = { base, editor }
  })
  const dirty = !isSame(editor.lettering, base.lettering)
  const conflict = fault !== undefined && hasMovedOn(fault.error)
  // a change after a failure is another try
  const failed = fault !== undefined && !conflict && fault.lettering === editor.lettering

  async function store(version = latest.current.base.version): Promise<boolean> {
    const { lettering, chapter } = latest.current.editor
    const now = Date.now()
    const known = step.current
    const continues =
      known !== undefined && known.version === version && known.chapter === chapter && now - known.began < LONGEST_STEP
    setBusy(true)
    try {
      const stored = await save.mutateAsync({ version, lettering, continues })
      step.current = { version: stored.version, began: continues ? known.began : now, chapter }
      // what was sent and not what came back: the server writes the same in another order
      const saved = { ...stored, lettering }
      latest.current.base = saved
      setBase(saved)
      setFault(undefined)
      return isSame(latest.current.editor.lettering, lettering)
    } catch (error) {
      setFault({ error, lettering })
      return false
    } finally {
      setBusy(false)
    }
  }
  /** Saves now, after what is on its way; resolves to whether everything is saved. */
  async function flush(version?: number): Promise<boolean> {
    await running.current
    const { base: before, editor: now } = latest.current
    if (version === undefined && isSame(now.lettering, before.lettering)) return true
    running.current = store(version)
    return running.current
  }
  const flushed = useRef(flush)
  useEffect(() => {
    flushed.current = flush
  })

  const { lettering } = editor
  useEffect(() => {
    if (!dirty || busy || conflict || failed || lettering === undefined) return
    const timer = setTimeout(() => void flushed.current(), PAUSE)
    return () => clearTimeout(timer)
  }, [dirty, busy, conflict, failed, lettering])
  useEffect(() => {
    // a phone may never come back to a page that was hidden
    const hidden = () => {
      if (document.visibilityState === 'hidden' && dirty && !conflict) void flushed.current()
    }
    document.addEventListener('visibilitychange', hidden)
    return () => document.removeEventListener('visibilitychange', hidden)
  }, [dirty, conflict])

  const state: SaveState = busy ? 'saving' : conflict ? 'conflict' : failed ? 'failed' : dirty ? 'unsaved' : 'saved'
  return {
    state,
    error: fault?.error,
    dirty,
    flush,
    /** Forgets a conflict that was decided, or put off. */
    forget: () => setFault(undefined),
    /** Whatever is saved next begins a step of its own. */
    begin: () => {
      step.current = undefined
      setFault(undefined)
    },
    report: (error: unknown) => setFault({ error, lettering: editor.lettering }),
  }
}

export type Autosave = ReturnType<typeof useAutosave>
