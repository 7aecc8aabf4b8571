import { log } from '@/lib/browser/log'
import { ApiError, parseErrorResponse } from '../errors/api-error'

/** Every request is given up after this many milliseconds. */
export const REQUEST_TIMEOUT = 150_000

/** Sends one request with the session cookie; throws an ApiError for anything but a good answer. */
export async function send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT)
  const asked = init.signal ?? (input instanceof Request ? input.signal : undefined)
  const signal = asked ? AbortSignal.any([asked, timeout]) : timeout
  let answer: Response
  try {
    answer = await fetch(input, { ...init, credentials: 'include', signal })
  } catch (error) {
    if (asked?.aborted) throw error
    if (timeout.aborted) throw new ApiError(0, 'timeout', 'The request timed out. Please try again.', { cause: error })
    log('A request failed', error)
    throw new ApiError(0, 'network', 'The server cannot be reached.', { cause: error })
  }
  if (!answer.ok) throw parseErrorResponse(answer.status, answer.statusText, await answer.text())
  return answer
}
