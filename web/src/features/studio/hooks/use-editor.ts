import { useEffect, useReducer } from 'react'
import type { CoverLettering, Lettering } from '@/api/generated'
import { isSame } from '../model/lettering'
import { takenUp, writeSteps } from '../model/steps'

/** Changes of one field that follow each other within this time, in milliseconds, are undone together. */
const TOGETHER = 1_500
const MOST_STEPS = 100
/** What begins a version of its own in the history: see `use-autosave.ts`. */
const BEGINS = ['style', 'begin']

export type State = {
  past: readonly (Lettering | null)[]
  now: Lettering | null
  future: readonly (Lettering | null)[]
  last: { field: string; at: number } | undefined
  /** Counts what begins a version of its own. */
  chapter: number
}

type Action =
  | { kind: 'change'; lettering: Lettering | null; field: string; at: number }
  | { kind: 'undo' | 'redo' }
  | { kind: 'begin'; lettering: Lettering | null }

const begun = (lettering: Lettering | null): State => ({
  past: [],
  now: lettering,
  future: [],
  last: undefined,
  chapter: 0,
})

export function reduce(state: State, action: Action): State {
  const { past, now, future, last, chapter } = state
  switch (action.kind) {
    case 'begin':
      return { ...begun(action.lettering), chapter: chapter + 1 }
    case 'change': {
      const goesOn = last !== undefined && last.field === action.field && action.at - last.at < TOGETHER
      return {
        past: goesOn ? past : [...past, now].slice(-MOST_STEPS),
        now: action.lettering,
        future: [],
        last: { field: action.field, at: action.at },
        chapter: BEGINS.includes(action.field) ? chapter + 1 : chapter,
      }
    }
    case 'undo': {
      const before = past.at(-1)
      if (before === undefined) return state
      return { ...state, past: past.slice(0, -1), now: before, future: [now, ...future], last: undefined }
    }
    case 'redo': {
      const [next, ...rest] = future
      if (next === undefined) return state
      return { ...state, past: [...past, now], now: next, future: rest, last: undefined }
    }
  }
}

const opened = (base: CoverLettering): State => {
  const { steps } = takenUp(base)
  return steps ? { ...begun(steps.now), past: steps.past, future: steps.future } : begun(base.lettering)
}

/** A lettering that is being changed, and the way back. `base` is what is stored. */
export function useEditor(base: CoverLettering) {
  const [state, dispatch] = useReducer(reduce, base, opened)
  const { past, now, future } = state
  useEffect(() => {
    writeSteps(base.cover.id, { past, now, future, version: base.version, unsaved: !isSame(now, base.lettering) })
  }, [base, past, now, future])
  return {
    lettering: now,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    chapter: state.chapter,
    /** `field` is what is changed: typing in one is undone together. */
    change: (lettering: Lettering | null, field: string) =>
      dispatch({ kind: 'change', lettering, field, at: Date.now() }),
    undo: () => dispatch({ kind: 'undo' }),
    redo: () => dispatch({ kind: 'redo' }),
    /** Starts over from what is saved. */
    begin: (lettering: Lettering | null) => dispatch({ kind: 'begin', lettering }),
  }
}

export type Editor = ReturnType<typeof useEditor>
