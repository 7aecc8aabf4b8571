import type { CoverLettering, Lettering } from '@/api/generated'
import { log } from '@/lib/browser/log'
import { isSame } from './lettering'

/** The steps of one visit, kept with the tab so that a reload loses nothing. */
export type Steps = {
  past: readonly (Lettering | null)[]
  now: Lettering | null
  future: readonly (Lettering | null)[]
  /** The version they were made from. */
  version: number
  /** Whether the last of them was not saved yet. */
  unsaved: boolean
}

/** Kept of each direction: the storage of a tab is small. */
const KEPT = 30

const name = (coverId: number) => `studio-${coverId}`

export function readSteps(coverId: number): Steps | null {
  try {
    const text = window.sessionStorage.getItem(name(coverId))
    return text === null ? null : (JSON.parse(text) as Steps)
  } catch (error) {
    log('Cannot read the steps of this visit', error)
    return null
  }
}

export function writeSteps(coverId: number, { past, now, future, version, unsaved }: Steps): void {
  try {
    const kept: Steps = { past: past.slice(-KEPT), now, future: future.slice(0, KEPT), version, unsaved }
    if (past.length + future.length === 0) window.sessionStorage.removeItem(name(coverId))
    else window.sessionStorage.setItem(name(coverId), JSON.stringify(kept))
  } catch (error) {
    log('Cannot keep the steps of this visit', error)
  }
}

/**
 * What a visit begins with: its steps before a reload, and what they were made from. Steps that were saved count only as
 * long as nobody has saved anything else since; unsaved ones meet a newer version as in a second tab.
 */
export function takenUp(stored: CoverLettering): { steps: Steps | undefined; base: CoverLettering } {
  const steps = readSteps(stored.cover.id)
  if (!steps) return { steps: undefined, base: stored }
  if (isSame(steps.now, stored.lettering)) return { steps: { ...steps, now: stored.lettering }, base: stored }
  if (!steps.unsaved) return { steps: undefined, base: stored }
  return { steps, base: { ...stored, version: steps.version } }
}
