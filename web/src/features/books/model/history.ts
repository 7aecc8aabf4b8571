/** Changes of one field that follow each other within this time, in milliseconds, are undone together. */
const TOGETHER = 1_500
const MOST_STEPS = 100

export type History<T> = {
  past: readonly T[]
  now: T
  future: readonly T[]
  last: { field: string; at: number } | undefined
}

export type Step<T> =
  | { kind: 'change'; to: T; field: string; at: number }
  | { kind: 'undo' | 'redo' }
  | { kind: 'begin'; to: T }

export const begun = <T>(now: T): History<T> => ({ past: [], now, future: [], last: undefined })

/** One step forward or back. Typing in one field is undone together. */
export function step<T>(history: History<T>, action: Step<T>): History<T> {
  const { past, now, future, last } = history
  switch (action.kind) {
    case 'begin':
      return begun(action.to)
    case 'change': {
      const goesOn = last !== undefined && last.field === action.field && action.at - last.at < TOGETHER
      return {
        past: goesOn ? past : [...past, now].slice(-MOST_STEPS),
        now: action.to,
        future: [],
        last: { field: action.field, at: action.at },
      }
    }
    case 'undo': {
      const before = past.at(-1)
      if (before === undefined) return history
      return { past: past.slice(0, -1), now: before, future: [now, ...future], last: undefined }
    }
    case 'redo': {
      const [next, ...rest] = future
      if (next === undefined) return history
      return { past: [...past, now], now: next, future: rest, last: undefined }
    }
  }
}
