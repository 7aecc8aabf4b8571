import type { CoverOut, GenerationStatus } from '@/api/generated'
import type { Failure } from './failure'

/** Where the one generation of the page stands. `at` is when its status came, in ms of `performance.now()`. */
export type Generation =
  | { step: 'idle' }
  | { step: 'starting'; at: number }
  | { step: 'running'; id: string; status: GenerationStatus | undefined; at: number }
  | { step: 'done'; cover: CoverOut }
  | { step: 'failed'; failure: Failure }

export type GenerationEvent =
  | { type: 'clicked'; at: number }
  | { type: 'accepted'; id: string; at: number }
  | { type: 'told'; status: GenerationStatus; at: number }
  | { type: 'made'; cover: CoverOut }
  | { type: 'failed'; failure: Failure }
  | { type: 'ended' }

export const idle: Generation = { step: 'idle' }

/** Moves a generation on. What comes late for a generation that has ended changes nothing. */
export function advance(now: Generation, event: GenerationEvent): Generation {
  switch (event.type) {
    case 'clicked':
      return now.step === 'running' ? now : { step: 'starting', at: event.at }
    case 'accepted':
      return { step: 'running', id: event.id, status: undefined, at: event.at }
    case 'told':
      if (now.step !== 'running' || now.id !== event.status.id) return now
      return { ...now, status: event.status, at: event.at }
    case 'made':
      return { step: 'done', cover: event.cover }
    case 'failed':
      return { step: 'failed', failure: event.failure }
    case 'ended':
      return idle
  }
}

export const isBusy = ({ step }: Generation) => step === 'starting' || step === 'running'

/** The words a phase is told in; a provider's own word that we do not know is simply work. */
export function phaseOf(generation: Generation) {
  if (generation.step !== 'running' || !generation.status) return 'queued'
  const { phase } = generation.status
  return isPhase(phase) ? phase : 'working'
}

const phases = ['queued', 'retrying', 'preparing', 'sketching', 'painting', 'lettering', 'finishing', 'saving'] as const
const isPhase = (word: string): word is (typeof phases)[number] => phases.some((phase) => phase === word)
