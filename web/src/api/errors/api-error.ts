/** Why a call failed without an answer from the server; answers carry the server's own codes. */
export type ClientCode = 'timeout' | 'network' | 'unreadable'

/** What the server says about a field, in a form that we can put into words: its code, and the numbers in it. */
export type FieldCode = { code: string; values?: Record<string, number> }

type About = { fields?: Record<string, string>; fieldCodes?: Record<string, FieldCode>; requestId?: string }

/**
 * A call that did not succeed. `message` is "{status}: {userMessage}"; `userMessage` is fit to be shown; `fields` has a
 * message for every bad field of a form, `fieldCodes` the codes that the server has for some of them. `status` is 0 when
 * no answer came.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly userMessage: string
  readonly fields: Readonly<Record<string, string>>
  readonly fieldCodes: Readonly<Record<string, FieldCode>>
  readonly requestId: string | undefined

  constructor(status: number, code: string, sentence: string, extra: About & { cause?: unknown } = {}) {
    super(`${status}: ${sentence}`, { cause: extra.cause })
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.userMessage = sentence
    this.fields = extra.fields ?? {}
    this.fieldCodes = extra.fieldCodes ?? {}
    this.requestId = extra.requestId
  }
}

/** Reads the server's error envelope; an answer without one gives its text, or the status text when it is empty. */
export function parseErrorResponse(status: number, statusText: string, body: string): ApiError {
  const envelope = parse(body)
  if (envelope) return new ApiError(status, envelope.code, envelope.message, envelope)
  return new ApiError(status, 'unreadable' satisfies ClientCode, body.trim() || statusText)
}

type Envelope = About & { code: string; message: string }

function parse(body: string): Envelope | undefined {
  try {
    const error: unknown = JSON.parse(body).error
    if (error && typeof error === 'object' && 'code' in error && 'message' in error) return error as Envelope
  } catch {
    // not JSON: a proxy's page, or nothing
  }
  return undefined
}

/** Whether a call failed because there is no session: neither a wrong password nor any other refusal. */
export const isUnauthorized = (error: unknown) =>
  error instanceof ApiError && error.status === 401 && error.code !== 'invalid_credentials'

/** Whether something is not there, or not the reader's. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404
