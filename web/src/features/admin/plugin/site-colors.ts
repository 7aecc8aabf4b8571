/** The colours that a component may use, by the names of their properties; they are part of the plugins' contract. */
const NAMES = [
  '--bg',
  '--surface',
  '--raised',
  '--sunken',
  '--ink',
  '--ink-2',
  '--ink-3',
  '--line',
  '--line-strong',
  '--field-line',
  '--primary',
  '--on-primary',
  '--accent',
  '--accent-soft',
  '--on-accent',
  '--ok',
  '--ok-soft',
  '--warn',
  '--warn-soft',
  '--danger',
  '--danger-soft',
]

/** What they are now, in the scheme that the page has. */
export function siteColors(): Record<string, string> {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(name).trim()]))
}
