import { ApiError } from '@/api/errors/api-error'

/**
 * Why a generation ended without a cover. `timeout` is our own patience, `busy` an unanswered request, `unreachable` a
 * lost connection; after these three the cover may still come. `site` is trouble of the site that no other try mends.
 * `sentence` is the server's, in English.
 */
export type Failure = {
  kind: 'refused' | 'site' | 'failed' | 'timeout' | 'busy' | 'unreachable'
  code?: string
  sentence?: string
  /** The service that was asked, where the reader chose one. */
  provider?: string
}

/** A generation that did not come to a cover. */
export class GenerationError extends Error {
  readonly failure: Failure

  constructor(message: string, failure: Failure, cause?: unknown) {
    super(message, { cause })
    this.name = 'GenerationError'
    this.failure = failure
  }
}

const refusals = ['content_refused', 'invalid_request']
/** With these a generation has ended; a start that is answered with `rate_limited` came too often. */
const troubles = ['auth_failed', 'settings_invalid', 'quota_exhausted', 'provider_bug', 'rate_limited']
const kindOf = (code: string) => (refusals.includes(code) ? 'refused' : 'failed')

/** Turns the server's refusal of a start into a GenerationError; any other error stays what it is. */
export const startError = (error: unknown) => answerError(error, 'HTTP error! status')

/** Turns a status that could not be read into a GenerationError; any other error stays what it is. */
export const statusError = (error: unknown) => answerError(error, 'Failed to check status')

function answerError(error: unknown, what: string): unknown {
  // no answer at all, or a session that ended: these have messages of their own
  if (!(error instanceof ApiError) || error.status === 0 || error.status === 401) return error
  const message = `${what}: ${error.status}`
  const sentence = error.code === 'unreadable' ? message : error.userMessage
  return new GenerationError(message, { kind: kindOf(error.code), code: error.code, sentence }, error)
}

/** A generation that ended as failed, in the server's words if it gave any. */
export function endedError(error: string | null, code: string | null): GenerationError {
  const kind = code && troubles.includes(code) ? 'site' : kindOf(code ?? '')
  const failure = { kind, ...(code && { code }), ...(error && { sentence: error }) } as const
  return new GenerationError(error || 'Generation failed', failure)
}

/** What to tell about any error of a generation. */
export function failureOf(error: unknown): Failure {
  if (error instanceof GenerationError) return error.failure
  if (error instanceof ApiError && error.status === 0)
    return { kind: error.code === 'timeout' ? 'busy' : 'unreachable' }
  return { kind: 'failed' }
}

/** Whether the cover may come all the same. */
export const mayStillCome = ({ kind }: Failure) => kind === 'timeout' || kind === 'busy' || kind === 'unreachable'
