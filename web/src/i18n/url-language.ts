import { type Language, splitPath } from './languages'

// The language the address bar carries, if any. Links keep it; a reader who came without one stays without.
let carried: Language | undefined

/** Forgets the language of an earlier page; called when a router is made. */
export function resetUrlLanguage(): void {
  carried = undefined
}

/** Takes the language off a path, for routing. */
export function stripLanguage(pathname: string): string {
  const { language, rest } = splitPath(pathname)
  if (language) carried = language
  return rest
}

/** Puts the carried language back in front of a path, for the address bar. */
export function addLanguage(pathname: string): string {
  if (!carried) return pathname
  return `/${carried}${pathname === '/' ? '' : pathname}`
}

/** Makes the address bar follow a change of language, if it carries one. */
export function replaceUrlLanguage(language: Language): void {
  if (!carried) return
  carried = language
  const { pathname, search, hash } = window.location
  window.history.replaceState(window.history.state, '', addLanguage(splitPath(pathname).rest) + search + hash)
}
