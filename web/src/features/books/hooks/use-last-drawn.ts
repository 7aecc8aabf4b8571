import { useState } from 'react'
import type { Sheet } from '@/api/generated'

type Drawn = { name: string; picture: string; sheet: Sheet }

/** What the press has drawn of an edition, with the sheet it drew; the last one until the next has come. */
export function useLastDrawn(name: string, picture: string | undefined, sheet: Sheet | null): Drawn | undefined {
  const [last, setLast] = useState<Drawn>()
  if (picture && sheet && (last?.picture !== picture || last.name !== name)) {
    const drawn = { name, picture, sheet }
    setLast(drawn)
    return drawn
  }
  return last?.name === name ? last : undefined
}
