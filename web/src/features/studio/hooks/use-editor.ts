import { useReducer } from 'react'
import type { Lettering } from '@/api/generated'

/** Changes of one field that follow each other within this time, in milliseconds, are undone together. */
const TOGETHER = 1_500
const MOST_STEPS = 200

type State = {
  past: readonly (Lettering | null)[]
  now: Lettering | null
  future: readonly (Lettering | null)[]
  last: { field: string; at: number } | undefined
}

type Action =
  | { kind: 'change'; lettering: Lettering | null; field: string; at: number }
  | { kind: 'undo' | 'redo' }
  | { kind: 'begin'; lettering: Lettering | null }

const begun = (lettering: Lettering | null): State => ({ past: [], now: lettering, future: [], last: undefined })

export function reduce(state: State, action: Action): State {
  const { past, now, future, last } = state
  switch (action.kind) {
    case 'begin':
      return begun(action.lettering)
    case 'change': {
      const goesOn = last !== undefined && last.field === action.field && action.at - last.at < TOGETHER
      return {
        past: goesOn ? past : [...past, now].slice(-MOST_STEPS),
        now: action.lettering,
        future: [],
        last: { field: action.field, at: action.at },
      }
    }
    case 'undo': {
      const before = past.at(-1)
      if (before === undefined) return state
      return { past: past.slice(0, -1), now: before, future: [now, ...future], last: undefined }
    }
    case 'redo': {
      const [next, ...rest] = future
      if (next === undefined) return state
      return { past: [...past, now], now: next, future: rest, last: undefined }
    }
  }
}

/** A lettering that is being changed, and the way back. */
export function useEditor(initial: Lettering | null) {
  const [state, dispatch] = useReducer(reduce, initial, begun)
  return {
    lettering: state.now,
    canUndo: state.past.length > 0,
    canRedo: state.future.length > 0,
    /** `field` is what is changed: typing in one is undone together. */
    change: (lettering: Lettering | null, field: string) =>
      dispatch({ kind: 'change', lettering, field, at: Date.now() }),
    undo: () => dispatch({ kind: 'undo' }),
    redo: () => dispatch({ kind: 'redo' }),
    /** Starts over from what is saved. */
    begin: (lettering: Lettering | null) => dispatch({ kind: 'begin', lettering }),
  }
}
