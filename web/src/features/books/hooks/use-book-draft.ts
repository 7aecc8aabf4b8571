import { useReducer } from 'react'
import type { BookOut } from '@/api/generated'
import { type Draft, draftOf } from '../model/draft'
import { begun, type History, type Step, step } from '../model/history'

/** A book that is being changed, and the way back. */
export function useBookDraft(book: BookOut) {
  const [{ past, now, future }, dispatch] = useReducer(
    step as (h: History<Draft>, s: Step<Draft>) => History<Draft>,
    book,
    (first) => begun(draftOf(first)),
  )
  return {
    draft: now,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** `field` is what is changed: typing in one is undone together. */
    change: (to: Draft, field: string) => dispatch({ kind: 'change', to, field, at: Date.now() }),
    undo: () => dispatch({ kind: 'undo' }),
    redo: () => dispatch({ kind: 'redo' }),
  }
}
