import type { CoverOut, GenerationStatus } from '@/api/generated'
import type { PreviewStyle } from '../preview/preview-style'
import type { Failure } from './failure'

/** One of the covers that are made at once. `at` is when its status came, in ms of `performance.now()`. */
export type Variant =
  | { id: string; step: 'running'; status: GenerationStatus | undefined; at: number }
  | { id: string; step: 'done'; cover: CoverOut }
  | { id: string; step: 'failed'; failure: Failure }

/** Where the page's generation stands. It is under way once it was accepted, and stays so when all has ended. */
export type Generation =
  | { step: 'idle' }
  /** `look` is what the covers look like before they are there, where that is not what the form says. */
  | { step: 'starting'; count: number; at: number; look?: PreviewStyle }
  | { step: 'failed'; failure: Failure }
  | {
      step: 'underway'
      variants: readonly Variant[]
      /** Id of the variant that is shown large. */
      chosen: string
      /** The reader chose it; otherwise the first finished one is. */
      picked: boolean
      look?: PreviewStyle
    }

export type GenerationEvent =
  | { type: 'clicked'; count: number; at: number; look?: PreviewStyle }
  | { type: 'accepted'; ids: readonly string[]; at: number }
  | { type: 'told'; status: GenerationStatus; at: number }
  | { type: 'made'; id: string; cover: CoverOut }
  | { type: 'failed'; id?: string; failure: Failure }
  /** It was canceled, or is not the reader's: nothing is left of it. */
  | { type: 'dropped'; id: string }
  /** It is tried again, under another id. */
  | { type: 'retried'; id: string; as: string; at: number }
  | { type: 'chosen'; id: string }
  | { type: 'ended' }

export const idle: Generation = { step: 'idle' }

/** Moves a generation on. What comes late for one that has ended changes nothing. */
export function advance(now: Generation, event: GenerationEvent): Generation {
  switch (event.type) {
    case 'clicked': {
      const { count, at, look } = event
      return isBusy(now) && now.step === 'underway' ? now : { step: 'starting', count, at, ...(look && { look }) }
    }
    case 'accepted': {
      const variants = event.ids.map((id): Variant => ({ id, step: 'running', status: undefined, at: event.at }))
      const look = now.step === 'starting' && now.look
      return { step: 'underway', variants, chosen: event.ids[0] ?? '', picked: false, ...(look && { look }) }
    }
    case 'told':
      return change(now, event.status.id, (variant) =>
        variant.step === 'running' ? { ...variant, status: lasting(event.status, variant), at: event.at } : variant,
      )
    case 'made': {
      const made = change(now, event.id, () => ({ id: event.id, step: 'done', cover: event.cover }))
      if (made.step !== 'underway' || made.picked || chosenOf(made)?.step === 'done') return made
      return { ...made, chosen: event.id }
    }
    case 'failed': {
      const { id, failure } = event
      return id === undefined ? { step: 'failed', failure } : change(now, id, () => ({ id, step: 'failed', failure }))
    }
    case 'retried': {
      const { id, as, at } = event
      const next = change(now, id, () => ({ id: as, step: 'running', status: undefined, at }))
      return next.step === 'underway' && next.chosen === id ? { ...next, chosen: as } : next
    }
    case 'dropped': {
      if (now.step !== 'underway') return now
      const variants = now.variants.filter(({ id }) => id !== event.id)
      const [first] = variants
      if (!first) return idle
      return { ...now, variants, chosen: now.chosen === event.id ? first.id : now.chosen }
    }
    case 'chosen':
      return now.step === 'underway' ? { ...now, chosen: event.id, picked: true } : now
    case 'ended':
      return idle
  }
}

function change(now: Generation, id: string, to: (variant: Variant) => Variant): Generation {
  if (now.step !== 'underway' || !now.variants.some((variant) => variant.id === id)) return now
  return { ...now, variants: now.variants.map((variant) => (variant.id === id ? to(variant) : variant)) }
}

export const variantsOf = (generation: Generation) => (generation.step === 'underway' ? generation.variants : [])

export const runningOf = (generation: Generation) =>
  variantsOf(generation).filter((variant) => variant.step === 'running')

/** The covers that are there, in their order. */
export const coversOf = (generation: Generation): CoverOut[] =>
  variantsOf(generation).flatMap((variant) => (variant.step === 'done' ? [variant.cover] : []))

/** The variant that is shown large. */
export const chosenOf = (generation: Generation): Variant | undefined =>
  generation.step === 'underway' ? generation.variants.find(({ id }) => id === generation.chosen) : undefined

export const isBusy = (generation: Generation) => generation.step === 'starting' || runningOf(generation).length > 0

/** What is shown of a cover that is done stays until the cover itself is there. */
function lasting(
  status: GenerationStatus,
  { status: before }: Extract<Variant, { step: 'running' }>,
): GenerationStatus {
  return status.status === 'completed' && before ? { ...status, preview: before.preview } : status
}

/** Number of the picture that shows how a cover looks so far, if there is one. */
export const previewOf = (variant: Variant | undefined) =>
  variant?.step === 'running' ? (variant.status?.preview ?? undefined) : undefined

/** The phase as the page names it; an unknown phase of a provider counts as work. */
export function phaseOf(variant: Variant | undefined) {
  if (variant?.step !== 'running' || !variant.status) return 'queued'
  const { phase } = variant.status
  return isPhase(phase) ? phase : 'working'
}

const phases = [
  'queued',
  'retrying',
  'paused',
  'preparing',
  'sketching',
  'painting',
  'lettering',
  'finishing',
  'saving',
] as const
const isPhase = (word: string): word is (typeof phases)[number] => phases.some((phase) => phase === word)
