import { useCallback, useState } from 'react'
import type { CoverOut } from '@/api/generated'

type State = { on: boolean; ids: ReadonlySet<number>; anchor: number | undefined }
const nothing: State = { on: false, ids: new Set(), anchor: undefined }

export type Selection = {
  /** Whether covers are being chosen: a click then chooses and does not open. */
  on: boolean
  /** The covers chosen, in the order they are shown. */
  chosen: readonly CoverOut[]
  has: (id: number) => boolean
  begin: () => void
  end: () => void
  all: () => void
  /** Chooses a cover or lets it go; with `range` everything between it and the one before, too. */
  toggle: (id: number, range?: boolean) => void
}

/** The covers a reader has chosen among those shown; one that is gone is no longer chosen. */
export function useSelection(covers: readonly CoverOut[]): Selection {
  const [state, setState] = useState(nothing)
  const toggle = (id: number, range = false) =>
    setState(({ ids, anchor }) => {
      const next = new Set(ids)
      const between = range ? idsBetween(covers, anchor, id) : []
      if (between.length > 0) for (const one of between) next.add(one)
      else if (!next.delete(id)) next.add(id)
      return { on: true, ids: next, anchor: id }
    })
  return {
    on: state.on,
    chosen: state.on ? covers.filter(({ id }) => state.ids.has(id)) : [],
    has: (id) => state.on && state.ids.has(id),
    begin: useCallback(() => setState({ ...nothing, on: true }), []),
    end: useCallback(() => setState(nothing), []),
    all: () => setState({ on: true, ids: new Set(covers.map(({ id }) => id)), anchor: undefined }),
    toggle,
  }
}

function idsBetween(covers: readonly CoverOut[], from: number | undefined, to: number): number[] {
  const places = [from, to].map((wanted) => covers.findIndex(({ id }) => id === wanted))
  if (places.includes(-1)) return []
  return covers.slice(Math.min(...places), Math.max(...places) + 1).map(({ id }) => id)
}
