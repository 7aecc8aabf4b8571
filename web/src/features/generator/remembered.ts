import type { GenerateCoverIn, GenerateWithReferencesIn } from '@/api/generated'
import { readStored, writeStored } from '@/lib/storage'

const RUNNING = 'generation'
const SENT = 'generation-sent'
/** What was sent longer ago than this is not sent again: nobody waits for it any more. */
export const SENT_FRESH = 300_000

/** The generations that were started together and run, so that a reload or a second window finds them again. */
export const rememberedGenerations = (): readonly string[] => readStored(RUNNING)?.split(' ').filter(Boolean) ?? []

export const rememberGenerations = (ids: readonly string[]) => writeStored(RUNNING, ids.join(' '))

export const forgetGenerations = () => writeStored(RUNNING, null)

export type Order = GenerateCoverIn | GenerateWithReferencesIn

/** A request whose answer has not come yet. */
export type Sent = { reader: number; key: string; order: Order; at: number }

/** Remembers a request before it is sent; one too large for the browser's storage is lost with the page. */
export const rememberSent = (sent: Sent) => writeStored(SENT, JSON.stringify(sent))

export const forgetSent = () => writeStored(SENT, null)

/** What this reader sent and had no answer to before the page was left: sent again under its key, it is found. */
export function unansweredOf(reader: number, now: number): Sent | undefined {
  const text = readStored(SENT)
  if (!text) return undefined
  try {
    const sent = JSON.parse(text) as Partial<Sent> | null
    const { order, key, at } = sent ?? {}
    if (sent?.reader !== reader || !order || typeof key !== 'string' || typeof at !== 'number') return undefined
    return now - at < SENT_FRESH ? { reader, order, key, at } : undefined
  } catch {
    return undefined
  }
}
