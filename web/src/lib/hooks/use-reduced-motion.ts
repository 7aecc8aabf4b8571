import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(prefers-reduced-motion: reduce)')

function subscribe(changed: () => void): () => void {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Whether the reader asked the system for less motion. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
