import { ApiError } from '@/api/errors/api-error'
import type { GenerationStatus } from '@/api/generated'
import { endedError, GenerationError, statusError } from '../model/failure'
import type { Stream } from './shared-stream'

export const POLL_INTERVAL = 2_000
export const MAX_POLLS = 60
/** A stream that stays silent for so long is checked: something on the way may hold its events back. */
export const STREAM_SILENCE_LIMIT = 8_000

export type Following = {
  /** Opens the stream of changes. */
  open: (id: string) => Stream
  /** Asks once. */
  ask: (id: string, signal: AbortSignal) => Promise<GenerationStatus>
  onStatus: (status: GenerationStatus) => void
  signal: AbortSignal
}

const hasEnded = ({ status }: GenerationStatus) =>
  status === 'completed' || status === 'failed' || status === 'canceled'

/**
 * Follows a generation to its end: by the stream of its changes, and by asking every 2 s, 60 times at most, when there
 * is no stream; a paused one may take longer. Resolves with the status of a cover that is complete or canceled. Rejects with a GenerationError when
 * it failed or did not end in time, with an ApiError when the reader is signed out, and when `signal` is aborted.
 */
export async function followGeneration(id: string, following: Following): Promise<GenerationStatus> {
  const ended = (await stream(id, following)) ?? (await poll(id, following))
  if (ended.status === 'failed') throw endedError(ended.error, ended.errorCode)
  return ended
}

/** The last status, or undefined when the stream broke or kept silent about a change. */
function stream(id: string, { open, ask, onStatus, signal }: Following): Promise<GenerationStatus | undefined> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let source: Stream
    try {
      source = open(id)
    } catch {
      resolve(undefined)
      return
    }
    let last: GenerationStatus | undefined
    let timer = setTimeout(check, STREAM_SILENCE_LIMIT)

    function close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      source.close()
    }
    function end(status?: GenerationStatus) {
      close()
      resolve(status)
    }
    function abort() {
      close()
      reject(signal.reason)
    }
    async function check() {
      const seen = last
      try {
        const now = await ask(id, signal)
        if (seen !== last || signal.aborted) return
        if (!seen || now.status !== seen.status || now.phase !== seen.phase) return end()
        timer = setTimeout(check, STREAM_SILENCE_LIMIT)
      } catch {
        if (!signal.aborted) end()
      }
    }

    signal.addEventListener('abort', abort)
    source.addEventListener('error', () => end())
    source.addEventListener('status', (event) => {
      clearTimeout(timer)
      timer = setTimeout(check, STREAM_SILENCE_LIMIT)
      last = JSON.parse((event as MessageEvent<string>).data) as GenerationStatus
      onStatus(last)
      if (hasEnded(last)) end(last)
    })
  })
}

async function poll(id: string, { ask, onStatus, signal }: Following): Promise<GenerationStatus> {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    await wait(POLL_INTERVAL, signal)
    try {
      const status = await ask(id, signal)
      onStatus(status)
      if (hasEnded(status)) return status
      if (status.phase === 'paused') polls = 0
    } catch (error) {
      signal.throwIfAborted()
      // no connection: the job goes on without us, and the next question may be answered
      if (!(error instanceof ApiError && error.status === 0)) throw statusError(error)
    }
  }
  throw new GenerationError('Generation timed out. Please try again.', { kind: 'timeout' })
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal.addEventListener('abort', abort, { once: true })
  })
}
