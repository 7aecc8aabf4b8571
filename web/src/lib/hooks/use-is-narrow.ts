import { useSyncExternalStore } from 'react'

// below the breakpoint `md` of the styles
const query = window.matchMedia('(max-width: 767.98px)')

function subscribe(changed: () => void): () => void {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Whether the screen is too narrow for a table. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
