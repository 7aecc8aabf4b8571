import type { GenerateCoverIn, GenerateWithReferencesIn } from '@/api/generated'
import { readStored, writeStored } from '@/lib/browser/storage'

const RUNNING = 'generation'
const SENT = 'generation-sent'
/** A request older than this is not sent again: its user is not waiting for it any more. */
export const UNANSWERED_MAX_AGE = 300_000

/** The generations that were started together and run, so that a reload or a second window finds them again. */
export const loadPendingGenerations = (): readonly string[] => readStored(RUNNING)?.split(' ').filter(Boolean) ?? []

export const savePendingGenerations = (ids: readonly string[]) => writeStored(RUNNING, ids.join(' '))

export const removePendingGenerations = () => writeStored(RUNNING, null)

export type Order = GenerateCoverIn | GenerateWithReferencesIn

/** A request whose answer has not come yet. */
export type UnansweredRequest = { reader: number; key: string; order: Order; at: number }

/** Remembers a request before it is sent; one too large for the browser's storage is lost with the page. */
export const saveUnanswered = (sent: UnansweredRequest) => writeStored(SENT, JSON.stringify(sent))

export const removeUnanswered = () => writeStored(SENT, null)

/** What this reader sent and had no answer to before the page was left: sent again under its key, it is found. */
export function loadUnanswered(reader: number, now: number): UnansweredRequest | undefined {
  const text = readStored(SENT)
  if (!text) return undefined
  try {
    const sent = JSON.parse(text) as Partial<UnansweredRequest> | null
    const { order, key, at } = sent ?? {}
    if (sent?.reader !== reader || !order || typeof key !== 'string' || typeof at !== 'number') return undefined
    return now - at < UNANSWERED_MAX_AGE ? { reader, order, key, at } : undefined
  } catch {
    return undefined
  }
}
