import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/errors/api-error'
import type { EmailDraftIn, EmailDraftRef } from '@/api/generated'
import { invalidateDrafts, makeDraft, storeDraft } from './queries'

/** So long typing rests before it is saved, in milliseconds. */
const PAUSE = 1_500

export type SaveState = 'new' | 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict'

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined)

type Options = {
  first: EmailDraftRef | undefined
  content: EmailDraftIn
  /** Whether there is anything to keep; what was kept once is kept on. */
  worth: boolean
  onMade: (id: string) => void
}

/** Keeps what is written as a draft, when typing rests, one request at a time; the first save makes the draft. */
export function useDraftAutosave({ first, content, worth, onMade }: Options) {
  const queryClient = useQueryClient()
  const text = JSON.stringify(content)
  const [draft, setDraft] = useState(first)
  const [saved, setSaved] = useState(first && text)
  const [fault, setFault] = useState<{ error: unknown; text: string }>()
  const [busy, setBusy] = useState(false)
  const [held, setHeld] = useState(false)
  const running = useRef<Promise<boolean>>(undefined)
  const latest = useRef({ draft, saved, content, text })
  useEffect(() => {
    latest.current = { ...latest.current, content, text }
  })
  const dirty = (worth || draft !== undefined) && saved !== text
  const conflict = codeOf(fault?.error) === 'draft_moved_on'
  // a change after a failure is another try
  const failed = fault !== undefined && !conflict && fault.text === text

  function keep(next: EmailDraftRef | undefined, stored: string | undefined) {
    latest.current.draft = next
    latest.current.saved = stored
    setDraft(next)
    setSaved(stored)
  }

  async function store(version?: number): Promise<boolean> {
    const { draft: before, content: sent, text: sentText } = latest.current
    setBusy(true)
    try {
      const { kind: _, ...change } = sent
      const stored = before
        ? await storeDraft(before.id, { ...change, version: version ?? before.version })
        : await makeDraft(sent)
      keep({ id: stored.id, version: stored.version }, sentText)
      setFault(undefined)
      void invalidateDrafts(queryClient)
      if (!before) onMade(stored.id)
      return latest.current.text === sentText
    } catch (error) {
      setFault({ error, text: sentText })
      // sent or deleted elsewhere: what is here is kept as another one
      if (codeOf(error) === 'not_found') keep(undefined, undefined)
      return false
    } finally {
      setBusy(false)
    }
  }
  /** Saves now, after what is on its way; resolves to whether everything is saved. */
  async function flush(version?: number): Promise<boolean> {
    await running.current
    if (version === undefined && latest.current.saved === latest.current.text) return true
    running.current = store(version)
    return running.current
  }
  const flushed = useRef(flush)
  useEffect(() => {
    flushed.current = flush
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause anew
  useEffect(() => {
    if (!dirty || busy || held || conflict || failed) return
    const timer = setTimeout(() => void flushed.current(), PAUSE)
    return () => clearTimeout(timer)
  }, [dirty, busy, held, conflict, failed, text])
  useEffect(() => {
    // a phone may never come back to a page that was hidden
    const hidden = () => {
      if (document.visibilityState === 'hidden' && dirty && !held && !conflict) void flushed.current()
    }
    document.addEventListener('visibilitychange', hidden)
    return () => document.removeEventListener('visibilitychange', hidden)
  }, [dirty, held, conflict])

  const state: SaveState = busy
    ? 'saving'
    : conflict
      ? 'conflict'
      : failed
        ? 'failed'
        : dirty
          ? 'unsaved'
          : draft
            ? 'saved'
            : 'new'
  return {
    draft,
    state,
    error: fault?.error,
    dirty,
    flush,
    /** Saves nothing more until `goOn`: the email is being sent. Resolves to the draft as it is saved. */
    hold: async (): Promise<EmailDraftRef | undefined> => {
      setHeld(true)
      await running.current
      return latest.current.draft
    },
    goOn: () => setHeld(false),
    /** Takes up what was said of the draft when it was to be sent. */
    report: (error: unknown) => {
      const code = codeOf(error)
      if (code === 'draft_gone') keep(undefined, undefined)
      if (code === 'draft_gone' || code === 'draft_moved_on') setFault({ error, text: latest.current.text })
    },
    /** Starts over without a draft: this one was sent. */
    end: () => {
      keep(undefined, undefined)
      setFault(undefined)
      setHeld(false)
    },
  }
}

export type DraftAutosave = ReturnType<typeof useDraftAutosave>
