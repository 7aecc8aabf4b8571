import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  return () => observer.disconnect()
}

const isDark = () => document.documentElement.classList.contains('dark')

/** Whether the page is dark now, for what is drawn by others and has to be told. */
export const useDark = (): boolean => useSyncExternalStore(subscribe, isDark)
