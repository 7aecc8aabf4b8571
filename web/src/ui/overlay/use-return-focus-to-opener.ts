import { useState } from 'react'

/** What has the focus now; for an entry of a menu, which is about to vanish, the button that opened the menu. */
function focused(): HTMLElement | undefined {
  const element = document.activeElement
  const button = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const opener = button ? document.getElementById(button) : element
  return opener instanceof HTMLElement && opener !== document.body ? opener : undefined
}

/**
 * For a panel over the page, called where it appears: what opened it gets the focus back when it goes. Radix does that
 * by itself only for a trigger of its own.
 */
export function useReturnFocusToOpener(): (event: Event) => void {
  const [opener] = useState(focused)
  return (event) => {
    // a user who closed it by going elsewhere has moved the focus already
    const taken = document.activeElement !== document.body
    if (!taken && !opener?.isConnected) return
    event.preventDefault()
    if (!taken) opener?.focus({ preventScroll: true })
  }
}
