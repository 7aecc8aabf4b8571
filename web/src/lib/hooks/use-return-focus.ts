import { useEffect, useRef } from 'react'

/**
 * For a dialog that nothing on the page opens by itself. Call what is returned when it opens: what has the focus then
 * gets it back once `open` is false again; if it is gone by then, the first element that one of the selectors finds.
 */
export function useReturnFocus(open: boolean): (...otherwise: readonly string[]) => void {
  const before = useRef<{ element: Element | null; otherwise: readonly string[] }>(undefined)
  useEffect(() => {
    if (open || !before.current) return
    const { element, otherwise } = before.current
    before.current = undefined
    const there = element?.isConnected && element !== document.body ? element : undefined
    const target = there ?? otherwise.map((selector) => document.querySelector(selector)).find(Boolean)
    if (target instanceof HTMLElement) target.focus()
  }, [open])
  return (...otherwise) => {
    before.current = { element: document.activeElement, otherwise }
  }
}
