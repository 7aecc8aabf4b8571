import { log } from './browser/log'

const KEY = 'cover-draft'

/** What a visitor typed before signing in; the generator picks it up afterwards. */
export type PromptDraft = { prompt: string; genre: string }

export function savePromptDraft(draft: PromptDraft): void {
  try {
    window.sessionStorage.setItem(KEY, JSON.stringify(draft))
  } catch (error) {
    log('The draft cannot be kept', error)
  }
}

/** Returns the saved draft and removes it. */
export function consumePromptDraft(): PromptDraft | undefined {
  try {
    const text = window.sessionStorage.getItem(KEY)
    window.sessionStorage.removeItem(KEY)
    if (!text) return undefined
    const { prompt, genre } = JSON.parse(text)
    return { prompt: String(prompt ?? ''), genre: String(genre ?? '') }
  } catch (error) {
    log('The draft cannot be read', error)
    return undefined
  }
}
