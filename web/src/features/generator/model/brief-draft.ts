import { log } from '@/lib/browser/log'
import { readStored, writeStored } from '@/lib/browser/storage'
import { promptDraft, sizeDraft } from '@/lib/tab-draft'
import { type Brief, emptyBrief, isElement } from './brief'
import { isDimensions } from './formats'

const KEY = 'generator-draft'

/** Keeps what is typed, so that neither a reload nor a lost session costs a word. */
export function saveDraft(brief: Brief): void {
  const untouched = Object.entries(emptyBrief).every(([name, value]) => brief[name as keyof Brief] === value)
  writeStored(KEY, untouched ? null : JSON.stringify(brief))
}

/** What was typed last, or what a visitor typed on the landing page or calculated with, which is newer. Changes nothing. */
export function loadDraft(): Brief {
  const saved = inSize(readSaved())
  const pitched = promptDraft.read()
  if (!pitched) return saved
  return { ...saved, prompt: pitched.prompt || saved.prompt, genre: pitched.genre || saved.genre }
}

/** Makes what was loaded the generator's own, once it is shown; the landing page's draft is not needed any more. */
export function takeOverDraft(loaded: Brief): void {
  saveDraft(loaded)
  promptDraft.remove()
  sizeDraft.remove()
}

/** A brief in the size that was calculated with, if one was. */
function inSize(brief: Brief): Brief {
  const size = sizeDraft.read()
  if (!size) return brief
  const { width, height } = size
  const name = `${Number(width.replace(',', '.'))}x${Number(height.replace(',', '.'))}`
  return { ...brief, dimensions: isDimensions(name) ? name : 'custom', customWidth: width, customHeight: height }
}

function readSaved(): Brief {
  const text = readStored(KEY)
  if (!text) return emptyBrief
  try {
    const stored: unknown = JSON.parse(text)
    if (!stored || typeof stored !== 'object') return emptyBrief
    const brief: Record<string, unknown> = { ...emptyBrief }
    for (const [name, empty] of Object.entries(emptyBrief)) {
      const value = (stored as Record<string, unknown>)[name]
      if (typeof value === typeof empty) brief[name] = value
    }
    const elements: unknown = brief.elements
    brief.elements = Array.isArray(elements) && elements.every(isElement) ? elements : null
    if (!isDimensions(brief.dimensions)) brief.dimensions = emptyBrief.dimensions
    return brief as Brief
  } catch (error) {
    log('The draft cannot be read', error)
    return emptyBrief
  }
}
