import type { GenerateCoverIn, GenerateWithReferencesIn } from '@/api/generated'
import { readStored, writeStored } from '@/lib/browser/storage'

/** A page's generator: a theme's takes up only what was begun for this theme. */
export type GeneratorName = 'generation' | `generation-theme-${number}`

export const generatorName = (themeId?: number): GeneratorName =>
  themeId === undefined ? 'generation' : `generation-theme-${themeId}`

const sentKey = (generator: GeneratorName) => `${generator}-sent`

/** A request older than this is not sent again: its user is not waiting for it any more. */
export const UNANSWERED_MAX_AGE = 300_000

/** The generations that were started together and run, so that a reload or a second window finds them again. */
export const loadPendingGenerations = (generator: GeneratorName): readonly string[] =>
  readStored(generator)?.split(' ').filter(Boolean) ?? []

export const savePendingGenerations = (generator: GeneratorName, ids: readonly string[]) =>
  writeStored(generator, ids.join(' '))

export const removePendingGenerations = (generator: GeneratorName) => writeStored(generator, null)

export type Order = GenerateCoverIn | GenerateWithReferencesIn

/** A request whose answer has not come yet. */
export type UnansweredRequest = { reader: number; key: string; order: Order; at: number }

/** Remembers a request before it is sent; one too large for the browser's storage is lost with the page. */
export const saveUnanswered = (generator: GeneratorName, sent: UnansweredRequest) =>
  writeStored(sentKey(generator), JSON.stringify(sent))

export const removeUnanswered = (generator: GeneratorName) => writeStored(sentKey(generator), null)

/** What this reader sent and had no answer to before the page was left: sent again under its key, it is found. */
export function loadUnanswered(generator: GeneratorName, reader: number, now: number): UnansweredRequest | undefined {
  const text = readStored(sentKey(generator))
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
