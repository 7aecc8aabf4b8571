import { type RefObject, useEffect } from 'react'

/** Moves the focus to a heading that takes another's place; `there` is false while the page itself is only arriving. */
export function useFocusOnArrival(titleId: string, there: RefObject<boolean>): void {
  useEffect(() => {
    if (there.current) document.getElementById(titleId)?.focus()
  }, [titleId, there])
}
