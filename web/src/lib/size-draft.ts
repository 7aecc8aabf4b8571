import { log } from './browser/log'

const KEY = 'cover-size'

/** A trim size that a visitor has calculated with, in inches as typed; the generator takes it over. */
export type SizeDraft = { width: string; height: string }

/** Keeps a size for as long as the tab is open, also through sign-in elsewhere; `undefined` removes it. */
export function saveSizeDraft(size: SizeDraft | undefined): void {
  try {
    if (size) window.sessionStorage.setItem(KEY, JSON.stringify(size))
    else window.sessionStorage.removeItem(KEY)
  } catch (error) {
    log('The size cannot be kept', error)
  }
}

/** Returns the saved size. It stays: a screen may be rendered several times before it is shown. */
export function readSizeDraft(): SizeDraft | undefined {
  try {
    const text = window.sessionStorage.getItem(KEY)
    if (!text) return undefined
    const { width, height } = JSON.parse(text)
    return { width: String(width ?? ''), height: String(height ?? '') }
  } catch (error) {
    log('The size cannot be read', error)
    return undefined
  }
}
