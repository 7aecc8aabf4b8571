import { log } from './browser/log'

const KEY = 'cover-draft'

/** What a visitor typed before signing in; the generator takes it over afterwards. */
export type PromptDraft = { prompt: string; genre: string }

/** Keeps a draft for as long as the tab is open, also through sign-in elsewhere; an empty one is removed. */
export function savePromptDraft(draft: PromptDraft): void {
  try {
    if (draft.prompt || draft.genre) window.sessionStorage.setItem(KEY, JSON.stringify(draft))
    else window.sessionStorage.removeItem(KEY)
  } catch (error) {
    log('The draft cannot be kept', error)
  }
}

/** Returns the saved draft. It stays: a screen may be rendered several times before it is shown. */
export function readPromptDraft(): PromptDraft | undefined {
  try {
    const text = window.sessionStorage.getItem(KEY)
    if (!text) return undefined
    const { prompt, genre } = JSON.parse(text)
    return { prompt: String(prompt ?? ''), genre: String(genre ?? '') }
  } catch (error) {
    log('The draft cannot be read', error)
    return undefined
  }
}

export const removePromptDraft = () => savePromptDraft({ prompt: '', genre: '' })
