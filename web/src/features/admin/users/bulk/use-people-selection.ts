import { useState } from 'react'
import type { PersonOut } from '@/api/generated'
import type { UserFilter } from '../user-filter'

type State = { of: string; ids: ReadonlySet<number>; everyone: boolean }

export type PeopleSelection = {
  /** The users chosen among those shown. */
  chosen: readonly PersonOut[]
  /** Not only these: all who match the filter, shown or not. */
  everyone: boolean
  has: (id: number) => boolean
  toggle: (id: number) => void
  /** Chooses all shown, or lets all go. */
  toggleShown: () => void
  chooseEveryone: () => void
  end: () => void
}

/** The users an administrator has chosen in a list; another filter begins anew. */
export function usePeopleSelection(people: readonly PersonOut[], filter: UserFilter): PeopleSelection {
  const of = JSON.stringify(filter)
  const [state, setState] = useState<State>({ of, ids: new Set(), everyone: false })
  const { ids, everyone } = state.of === of ? state : { ids: new Set<number>(), everyone: false }
  const has = (id: number) => everyone || ids.has(id)
  const chosen = people.filter(({ id }) => has(id))
  const choose = (wanted: Iterable<number>) => setState({ of, ids: new Set(wanted), everyone: false })
  return {
    chosen,
    everyone,
    has,
    toggle: (id) => {
      const next = new Set(chosen.map((person) => person.id))
      if (!next.delete(id)) next.add(id)
      choose(next)
    },
    toggleShown: () => choose(chosen.length === people.length ? [] : people.map(({ id }) => id)),
    chooseEveryone: () => setState({ of, ids: new Set(), everyone: true }),
    end: () => choose([]),
  }
}
