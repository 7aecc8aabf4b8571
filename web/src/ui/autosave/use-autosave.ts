import { useEffect, useRef, useState } from 'react'

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict'

type Options<Content> = {
  /** What is edited; another value is a change. */
  content: Content
  dirty: boolean
  /** So long work rests before it is saved, in milliseconds. */
  pause: number
  /** Saves by itself no more for now. */
  held?: boolean
  /** Whether an error says that somebody else has saved in between. */
  isConflict: (error: unknown) => boolean
  /** Whether what is edited by now is saved. */
  isSaved: () => boolean
  /** Saves what is edited by now, on this version of what is stored, or on the last one known; throws what went wrong. */
  store: (version?: number) => Promise<void>
}

/** Saves when work rests, when the page is hidden and when asked, one request at a time. */
export function useAutosave<Content>({
  content,
  dirty,
  pause,
  held = false,
  isConflict,
  isSaved,
  store,
}: Options<Content>) {
  const [fault, setFault] = useState<{ error: unknown; content: Content }>()
  const [busy, setBusy] = useState(false)
  const running = useRef<Promise<boolean>>(undefined)
  const latest = useRef({ content, isSaved, store })
  useEffect(() => {
    latest.current = { content, isSaved, store }
  })
  const conflict = fault !== undefined && isConflict(fault.error)
  // a change after a failure is another try
  const failed = fault !== undefined && !conflict && fault.content === content

  async function save(version?: number): Promise<boolean> {
    const sent = latest.current.content
    setBusy(true)
    try {
      await latest.current.store(version)
      setFault(undefined)
      return latest.current.isSaved()
    } catch (error) {
      setFault({ error, content: sent })
      return false
    } finally {
      setBusy(false)
    }
  }
  /** Saves now, after what is on its way; resolves to whether everything is saved. */
  async function flush(version?: number): Promise<boolean> {
    await running.current
    if (version === undefined && latest.current.isSaved()) return true
    running.current = save(version)
    return running.current
  }
  const flushed = useRef(flush)
  useEffect(() => {
    flushed.current = flush
  })
  const due = dirty && !held && !conflict
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause anew
  useEffect(() => {
    if (!due || busy || failed) return
    const timer = setTimeout(() => void flushed.current(), pause)
    return () => clearTimeout(timer)
  }, [due, busy, failed, pause, content])
  useEffect(() => {
    // a phone may never come back to a page that was hidden
    const hidden = () => {
      if (document.visibilityState === 'hidden' && due) void flushed.current()
    }
    document.addEventListener('visibilitychange', hidden)
    return () => document.removeEventListener('visibilitychange', hidden)
  }, [due])

  const state: SaveState = busy ? 'saving' : conflict ? 'conflict' : failed ? 'failed' : dirty ? 'unsaved' : 'saved'
  return {
    state,
    error: fault?.error,
    dirty,
    flush,
    /** Resolves when nothing is on its way. */
    settled: async () => void (await running.current),
    /** Forgets a conflict that was decided, or put off. */
    forget: () => setFault(undefined),
    /** Takes up what another call said of what is edited. */
    report: (error: unknown) => setFault({ error, content: latest.current.content }),
  }
}
