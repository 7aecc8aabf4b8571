import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '@/lib/browser/storage'

/** Light, dark, or whatever the system says. `/boot.js` reads the same key before the first paint. */
export type ColorScheme = 'light' | 'dark' | 'system'

const KEY = 'theme'
const GROUND = { light: '#fbfaf7', dark: '#110e0c' }
const listeners = new Set<() => void>()
const system = window.matchMedia('(prefers-color-scheme: dark)')

function saved(): ColorScheme {
  const theme = readStored(KEY)
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

let current = saved()

function apply(): void {
  const dark = current === 'dark' || (current === 'system' && system.matches)
  document.documentElement.classList.toggle('dark', dark)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? GROUND.dark : GROUND.light)
}

system.addEventListener('change', apply)

export function setColorScheme(theme: ColorScheme): void {
  current = theme
  writeStored(KEY, theme === 'system' ? null : theme)
  apply()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useColorScheme(): ColorScheme {
  return useSyncExternalStore(subscribe, () => current)
}
