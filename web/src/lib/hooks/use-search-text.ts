import { useEffect, useRef, useState } from 'react'

/**
 * The text of a search field, and how it is changed. The caller gets what is typed once it has stood still for `delay`
 * milliseconds; a value that comes from elsewhere, as by the back button, takes its place at once. A value that only
 * has to be read when it stands still is for `useDebounced`.
 */
export function useSearchText(value: string, tell: (value: string) => void, delay: number) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const latest = useRef(tell)
  useEffect(() => {
    latest.current = tell
  })
  if (value !== known) {
    setKnown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  useEffect(() => {
    const words = typed.trim()
    if (words === value) return
    const timer = setTimeout(() => latest.current(words), delay)
    return () => clearTimeout(timer)
  }, [typed, value, delay])
  return [typed, setTyped] as const
}
