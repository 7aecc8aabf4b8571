import { log } from '@/lib/browser/log'
import { ApiError, parseErrorResponse } from '../errors/api-error'
import { askToReauthenticate, needsReauthentication } from './reauthentication'

export const EVENT_STREAM = 'text/event-stream'

/** Every request is given up after this many milliseconds. */
export const REQUEST_TIMEOUT = 150_000

/**
 * Sends one request with the session cookie; throws an ApiError for anything but a good answer. One that breaks off, as
 * when the page is left, is none; only streams of events are handed on while they come. One that needs a recent sign-in
 * is sent once more when the reader has proved who they are.
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  // a request's body can be read only once
  const again = input instanceof Request && needsProof(input) ? input.clone() : undefined
  try {
    return await sendOnce(input, init)
  } catch (error) {
    if (again && needsReauthentication(error) && (await askToReauthenticate())) return sendOnce(again, init)
    throw error
  }
}

/** Calls that may ask for a recent sign-in. Others are not copied: browsers send a copied body piece by piece. */
const needsProof = ({ url }: Request) => /\/api\/(admin|account|auth)\b/.test(url)

async function sendOnce(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT)
  const asked = init.signal ?? (input instanceof Request ? input.signal : undefined)
  const signal = asked ? AbortSignal.any([asked, timeout]) : timeout
  let answer: Response
  try {
    answer = await complete(await fetch(input, { ...init, credentials: 'include', signal }))
  } catch (error) {
    if (asked?.aborted) throw error
    if (timeout.aborted) throw new ApiError(0, 'timeout', 'The request timed out. Please try again.', { cause: error })
    log('A request failed', error)
    throw new ApiError(0, 'network', 'The server cannot be reached.', { cause: error })
  }
  if (!answer.ok) throw parseErrorResponse(answer.status, answer.statusText, await answer.text())
  // the generated client would make an empty object of it, and a page would take that for what it asked for
  if (isRead(input, init) && !answer.body) throw parseErrorResponse(answer.status, answer.statusText, '')
  return answer
}

const isRead = (input: RequestInfo | URL, { method }: RequestInit) =>
  (method ?? (input instanceof Request ? input.method : 'GET')) === 'GET'

/**
 * Waits for the whole of an answer, so that one that breaks off fails where one that never comes does. An empty one has
 * no body then; browsers differ in whether a 204 has one.
 */
async function complete(answer: Response): Promise<Response> {
  const { status, statusText, headers } = answer
  if (headers.get('content-type')?.startsWith(EVENT_STREAM)) return answer
  const body = status === 204 ? undefined : await answer.arrayBuffer()
  return new Response(body?.byteLength ? body : null, { status, statusText, headers })
}
