import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react'

/**
 * Keys in the order in which they are held, joined by plus: `i`, `?`, `.`, `shift+x`, `alt+arrowup`, `mod+enter`,
 * `delete`, `escape`, `space`. `mod` is Ctrl or the Mac's command key. Letters are found by their place on the keyboard
 * too, so that they work while one types Russian or Arabic.
 */
export type Keys = string

/** Where on the page a shortcut belongs: the sheet lists them so. */
export type ShortcutGroup = 'general' | 'create' | 'result' | 'gallery' | 'compare'

type Options = {
  /** Whether it can be used now; one that cannot is listed all the same. */
  when?: boolean
  group?: ShortcutGroup
  /** Works only while the focus is in here, in text fields too. Otherwise anywhere on the page but in a dialog. */
  within?: RefObject<HTMLElement | null>
  /** Belongs to an open dialog or sheet: works only while the focus is in one. */
  dialog?: boolean
}

/** Does the work. `false` hands the key on, to the next shortcut with it or to the browser. */
export type ShortcutHandler = (event: KeyboardEvent) => unknown

export type Shortcut = { id: string; keys: readonly Keys[]; label: string; group: ShortcutGroup }
type Entry = Shortcut & { options: RefObject<Options>; handler: RefObject<ShortcutHandler> }

/**
 * Listens for keys while the component is there. `label` says in the reader's language what they do. Keys alone are not
 * taken from text fields, nor from controls that need them; combinations with `mod` are, but for those that edit.
 */
export function useShortcut(
  keys: Keys | readonly Keys[],
  label: string,
  handler: ShortcutHandler,
  options: Options = {},
) {
  const id = useId()
  const latestHandler = useRef(handler)
  const latestOptions = useRef(options)
  useLayoutEffect(() => {
    latestHandler.current = handler
    latestOptions.current = options
  })
  const joined = typeof keys === 'string' ? keys : keys.join(' ')
  const group = options.group ?? 'general'
  useEffect(
    () => register({ id, keys: joined.split(' '), label, group, handler: latestHandler, options: latestOptions }),
    [id, joined, label, group],
  )
}

let entries: readonly Entry[] = []
const listeners = new Set<() => void>()

function replace(next: readonly Entry[]) {
  if (!entries.length && next.length) window.addEventListener('keydown', onKeyDown)
  if (entries.length && !next.length) window.removeEventListener('keydown', onKeyDown)
  entries = next
  for (const changed of listeners) changed()
}

function register(entry: Entry): () => void {
  replace([...entries, entry])
  return () => replace(entries.filter((other) => other !== entry))
}

/** Every shortcut of the page, or of the dialogs that are open on it, each once, in the order in which they came. */
export function useShortcuts(dialog: boolean): readonly Shortcut[] {
  const all = useSyncExternalStore(subscribe, () => entries)
  const seen = new Set<string>()
  return all.filter(({ keys, label, options }) => {
    if ((options.current.dialog ?? false) !== dialog) return false
    const known = `${keys.join(' ')} ${label}`
    return !seen.has(known) && seen.add(known)
  })
}

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

const NO_TEXT = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']
const FIELD = `input:not(${NO_TEXT.map((type) => `[type=${type}]`).join()}), textarea, select, [contenteditable=true]`
/** What the arrow keys move by themselves. */
const MOVABLE = 'input[type=radio], input[type=range], [role=slider], [role=tab], [role=radio], [role=separator]'
const LAYER = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
const CONTROL = 'button, a[href], summary, input, select, [role=button], [role=slider], [role=menuitem]'
/** What edits text everywhere, and must go on doing so in fields. */
const EDITING = ['mod+a', 'mod+c', 'mod+v', 'mod+x', 'mod+y', 'mod+z', 'mod+shift+z']

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  const target = event.target instanceof Element ? event.target : document.body
  // what came last lies on top
  for (const { keys, handler, options } of [...entries].reverse()) {
    if (options.current.when === false) continue
    const pressed = keys.find((combination) => matches(combination, event))
    if (!pressed || !reaches(pressed, options.current, target)) continue
    if (handler.current(event) === false) continue
    event.preventDefault()
    return
  }
}

function reaches(keys: Keys, { within, dialog = false }: Options, target: Element): boolean {
  if (within) return Boolean(within.current?.contains(target))
  const layered = target.closest(LAYER) !== null
  if (layered !== dialog) return false
  const combined = keys.includes('mod+')
  if (target.closest(FIELD)) return combined && !EDITING.includes(keys)
  if (keys.startsWith('arrow') && target.closest(MOVABLE)) return false
  // Enter and the space bar press the button that has the focus
  return !(['enter', 'space'].includes(keys) && target.closest(CONTROL))
}

const SAME: Record<string, string> = { ' ': 'space', '؟': '?', '？': '?', backspace: 'delete', esc: 'escape' }
const isLetter = (key: string) => /^[a-z]$/.test(key)

function matches(keys: Keys, event: KeyboardEvent): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const held = (name: string) => parts.slice(0, -1).includes(name)
  if (held('mod') !== (event.ctrlKey || event.metaKey) || held('alt') !== event.altKey) return false
  // signs need Shift on one keyboard and not on another
  if (key.length > 1 || isLetter(key)) {
    if (held('shift') !== event.shiftKey) return false
  }
  const typed = event.key.toLowerCase()
  if ((SAME[typed] ?? typed) === key) return true
  // a figure above the letters, whatever sign the keyboard has there
  if (/^\d$/.test(key)) return event.code === `Digit${key}`
  // another script's letter, or what Alt makes of a key
  return isLetter(key) && !isLetter(typed) && event.code === `Key${key.toUpperCase()}`
}
