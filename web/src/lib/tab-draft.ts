import { log } from './browser/log'

/**
 * Something that a visitor typed, kept for as long as the tab is open, also through sign-in elsewhere. Reading leaves it
 * there: a screen may be rendered several times before it is shown.
 */
function tabDraft<Draft>(key: string, understand: (stored: Record<string, unknown>) => Draft) {
  function attempt<Result>(what: () => Result): Result | undefined {
    try {
      return what()
    } catch (error) {
      log(`The draft ${key} cannot be kept or read`, error)
      return undefined
    }
  }
  return {
    save: (draft: Draft) => void attempt(() => window.sessionStorage.setItem(key, JSON.stringify(draft))),
    read: () =>
      attempt(() => {
        const text = window.sessionStorage.getItem(key)
        return text ? understand(JSON.parse(text)) : undefined
      }),
    remove: () => void attempt(() => window.sessionStorage.removeItem(key)),
  }
}

/** What a visitor typed on the landing page; the generator takes it over. */
export const promptDraft = tabDraft('cover-draft', ({ prompt, genre }) => ({
  prompt: String(prompt ?? ''),
  genre: String(genre ?? ''),
}))

/** A trim size that a visitor has calculated with, in inches as typed; the generator takes it over. */
export const sizeDraft = tabDraft('cover-size', ({ width, height }) => ({
  width: String(width ?? ''),
  height: String(height ?? ''),
}))
