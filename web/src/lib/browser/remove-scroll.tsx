import { type ReactNode, useEffect } from 'react'

let locks = 0

function lock(): () => void {
  const page = document.documentElement
  if (locks++ === 0) {
    // what the vanishing scrollbar took is given back as padding, so that nothing shifts
    page.style.paddingInlineEnd = `${window.innerWidth - page.clientWidth}px`
    page.style.overflow = 'hidden'
  }
  return () => {
    if (--locks > 0) return
    page.style.paddingInlineEnd = ''
    page.style.overflow = ''
  }
}

/**
 * Keeps the page behind a dialog or a menu from scrolling. Takes the place of the package of this name, which
 * writes a style element into the page; the content policy allows none.
 */
export function RemoveScroll({ children }: { children: ReactNode }) {
  useEffect(lock, [])
  return children
}
