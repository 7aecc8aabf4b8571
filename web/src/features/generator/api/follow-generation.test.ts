import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/errors/api-error'
import type { GenerationStatus } from '@/api/generated'
import { status } from '@/test/status'
import { failureOf } from '../model/failure'
import { cover, TestStream } from '../test-status'
import { followGeneration, MAX_POLLS, POLL_INTERVAL, STREAM_SILENCE_LIMIT } from './follow-generation'

beforeEach(() => {
  vi.useFakeTimers()
  TestStream.opened = []
})
afterEach(() => void vi.useRealTimers())

const completed = { status: 'completed', phase: 'done', result: cover } as const

/** Follows 'g-1' before a server that answers one question after the other, the last answer for ever. */
function start(...answers: (GenerationStatus | Error)[]) {
  const told: string[] = []
  const leaving = new AbortController()
  const ask = vi.fn(async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (!answer || answer instanceof Error) throw answer
    return answer
  })
  const end = followGeneration('g-1', {
    open: (id) => new TestStream(id) as unknown as EventSource,
    ask,
    onStatus: ({ phase }) => told.push(phase),
    signal: leaving.signal,
  })
  const failure = end.then(
    () => new Error('it succeeded'),
    (error: Error) => error,
  )
  const stream = TestStream.opened[0] as TestStream
  return { end, failure, ask, told, stream, leave: () => leaving.abort() }
}

describe('by its stream, a generation', () => {
  it('is followed to the cover without a question asked', async () => {
    const { end, stream, told, ask } = start()
    stream.tell({ phase: 'painting' })
    stream.tell({ phase: 'lettering' })
    stream.tell(completed)
    expect((await end).result).toEqual(cover)
    expect(told).toEqual(['painting', 'lettering', 'done'])
    expect(stream.closed).toBe(true)
    expect(ask).not.toHaveBeenCalled()
  })

  it('that failed is told in the words of the server', async () => {
    const { failure, stream } = start()
    stream.tell({ status: 'failed', error: 'Declined.', errorCode: 'content_refused' })
    const error = await failure
    expect(error.message).toBe('Declined.')
    expect(failureOf(error)).toEqual({ kind: 'refused', code: 'content_refused', sentence: 'Declined.' })
  })

  it('that failed without a word has failed', async () => {
    const { failure, stream } = start()
    stream.tell({ status: 'failed' })
    expect((await failure).message).toBe('Generation failed')
  })

  it('that was canceled ends quietly', async () => {
    const { end, stream } = start()
    stream.tell({ status: 'canceled', phase: 'done' })
    expect((await end).status).toBe('canceled')
  })

  it('is checked once when the stream keeps silent, and followed on while nothing changed', async () => {
    const { end, stream, ask } = start(status({ phase: 'painting' }))
    stream.tell({ phase: 'painting' })
    await vi.advanceTimersByTimeAsync(STREAM_SILENCE_LIMIT)
    expect(ask).toHaveBeenCalledTimes(1)
    expect(stream.closed).toBe(false)
    stream.tell(completed)
    expect((await end).status).toBe('completed')
  })

  it('is let go when the page is left', async () => {
    const { failure, stream, leave } = start()
    leave()
    expect((await failure).name).toBe('AbortError')
    expect(stream.closed).toBe(true)
  })
})

describe('without a stream, a generation', () => {
  it('is asked about every two seconds', async () => {
    expect(POLL_INTERVAL).toBe(2_000)
    const { end, stream, ask, told } = start(status({ phase: 'painting' }), status(completed))
    stream.break()
    await vi.advanceTimersByTimeAsync(1_999)
    expect(ask).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(ask).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await end).result).toEqual(cover)
    expect(told).toEqual(['painting', 'done'])
  })

  it('is asked about when something on the way holds the events back', async () => {
    const { end, stream } = start(status({ phase: 'painting' }), status(completed))
    await vi.advanceTimersByTimeAsync(STREAM_SILENCE_LIMIT + POLL_INTERVAL)
    expect(stream.closed).toBe(true)
    expect((await end).status).toBe('completed')
  })

  it('is given up after sixty questions', async () => {
    expect(MAX_POLLS).toBe(60)
    const { failure, stream, ask } = start(status({ status: 'pending' }))
    stream.break()
    await vi.advanceTimersByTimeAsync(MAX_POLLS * POLL_INTERVAL)
    const error = await failure
    expect(error.message).toBe('Generation timed out. Please try again.')
    expect(failureOf(error)).toEqual({ kind: 'timeout' })
    expect(ask).toHaveBeenCalledTimes(60)
  })

  it('that cannot be read fails with the status of the answer', async () => {
    const { failure, stream } = start(new ApiError(500, 'internal', 'Something went wrong.'))
    stream.break()
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL)
    const error = await failure
    expect(error.message).toBe('Failed to check status: 500')
    expect(failureOf(error).sentence).toBe('Something went wrong.')
  })

  it('is asked about again after a moment without connection', async () => {
    const { end, stream } = start(new ApiError(0, 'network', 'Away.'), status(completed))
    stream.break()
    await vi.advanceTimersByTimeAsync(2 * POLL_INTERVAL)
    expect((await end).status).toBe('completed')
  })

  it('of a reader who is signed out is left as it is', async () => {
    const { failure, stream } = start(new ApiError(401, 'unauthorized', 'Please sign in.'))
    stream.break()
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL)
    expect(await failure).toMatchObject({ status: 401 })
  })
})
