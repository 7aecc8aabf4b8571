import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/errors/api-error'
import type { EmailDraftIn, EmailDraftRef } from '@/api/generated'
import { useAutosave } from '@/ui/autosave/use-autosave'
import { invalidateDrafts, makeDraft, storeDraft } from './queries'

/** So long typing rests before it is saved, in milliseconds. */
const PAUSE = 1_500

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined)

type Options = {
  first: EmailDraftRef | undefined
  content: EmailDraftIn
  /** Whether there is anything to keep; what was kept once is kept on. */
  worth: boolean
  onMade: (id: string) => void
}

/** Keeps what is written as a draft; the first save makes the draft. */
export function useDraftAutosave({ first, content, worth, onMade }: Options) {
  const queryClient = useQueryClient()
  const text = JSON.stringify(content)
  const [draft, setDraft] = useState(first)
  const [saved, setSaved] = useState(first && text)
  const [held, setHeld] = useState(false)
  const latest = useRef({ draft, saved, content, text })
  useEffect(() => {
    latest.current = { ...latest.current, content, text }
  })

  function keep(next: EmailDraftRef | undefined, stored: string | undefined) {
    latest.current.draft = next
    latest.current.saved = stored
    setDraft(next)
    setSaved(stored)
  }

  async function store(version?: number): Promise<void> {
    const { draft: before, content: sent, text: sentText } = latest.current
    const { kind: _, ...change } = sent
    try {
      const stored = before
        ? await storeDraft(before.id, { ...change, version: version ?? before.version })
        : await makeDraft(sent)
      keep({ id: stored.id, version: stored.version }, sentText)
      void invalidateDrafts(queryClient)
      if (!before) onMade(stored.id)
    } catch (error) {
      // sent or deleted elsewhere: what is here is kept as another one
      if (codeOf(error) === 'not_found') keep(undefined, undefined)
      throw error
    }
  }
  const autosave = useAutosave({
    content: text,
    dirty: (worth || draft !== undefined) && saved !== text,
    pause: PAUSE,
    held,
    isConflict: (error) => codeOf(error) === 'draft_moved_on',
    isSaved: () => latest.current.saved === latest.current.text,
    store,
  })
  return {
    ...autosave,
    draft,
    /** Saves nothing more until `goOn`: the email is being sent. Resolves to the draft as it is saved. */
    hold: async (): Promise<EmailDraftRef | undefined> => {
      setHeld(true)
      await autosave.settled()
      return latest.current.draft
    },
    goOn: () => setHeld(false),
    /** Takes up what was said of the draft when it was to be sent. */
    report: (error: unknown) => {
      const code = codeOf(error)
      if (code === 'draft_gone') keep(undefined, undefined)
      if (code === 'draft_gone' || code === 'draft_moved_on') autosave.report(error)
    },
    /** Starts over without a draft: this one was sent. */
    end: () => {
      keep(undefined, undefined)
      autosave.forget()
      setHeld(false)
    },
  }
}

export type DraftAutosave = ReturnType<typeof useDraftAutosave>
