import type { Segment } from '@/api/generated'

/** The conditions on recipients, all of them said. */
export type Conditions = Required<Segment>

export const EVERYBODY: Conditions = {
  plan: 'any',
  languages: [],
  seenWithinDays: null,
  unseenForDays: null,
  signedUpFrom: null,
  signedUpTo: null,
  genre: '',
  covers: 'any',
}

export const PLANS = ['any', 'free', 'pro'] as const
export const COVERS = ['any', 'some', 'none'] as const

/** When somebody was here last: a condition and its days. */
export const SEEN = {
  any: { seenWithinDays: null, unseenForDays: null },
  within30: { seenWithinDays: 30, unseenForDays: null },
  within90: { seenWithinDays: 90, unseenForDays: null },
  not30: { seenWithinDays: null, unseenForDays: 30 },
  not90: { seenWithinDays: null, unseenForDays: 90 },
  not365: { seenWithinDays: null, unseenForDays: 365 },
} as const
export type Seen = keyof typeof SEEN

export const seenOf = ({ seenWithinDays, unseenForDays }: Segment): Seen | undefined =>
  (Object.keys(SEEN) as Seen[]).find(
    (name) =>
      SEEN[name].seenWithinDays === (seenWithinDays ?? null) && SEEN[name].unseenForDays === (unseenForDays ?? null),
  )

/** How many conditions there are. */
export const conditionsIn = (segment: Segment): number =>
  [
    (segment.plan ?? 'any') !== 'any',
    (segment.covers ?? 'any') !== 'any',
    segment.languages?.length,
    segment.seenWithinDays ?? segment.unseenForDays,
    segment.signedUpFrom,
    segment.signedUpTo,
    segment.genre?.trim(),
  ].filter(Boolean).length

/** Whether the two days of a sign-up stand in their order. */
export const inOrder = ({ signedUpFrom, signedUpTo }: Segment) =>
  !signedUpFrom || !signedUpTo || signedUpFrom <= signedUpTo

/** A moment as the browser's picker has it, `2026-10-20T15:04` in the reader's own time zone; undefined for none. */
export const momentOf = (local: string): Date | undefined => {
  const moment = new Date(local)
  return local && !Number.isNaN(moment.getTime()) ? moment : undefined
}

/** A moment in the reader's own time zone, as the browser's picker has it. */
export const localOf = (moment: Date): string =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** The first minute that can be chosen, as the browser's picker has it. */
export const nextMinute = (): string => localOf(new Date(Date.now() + 60_000))
