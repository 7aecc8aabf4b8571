import { expect, it } from 'vitest'
import { ApiError } from '@/api/errors/api-error'
import { failureOf, GenerationError, mayStillCome, startError } from './failure'

it('calls a refused start by its status, and tells it in the words of the server', () => {
  const error = startError(new ApiError(503, 'unavailable', 'Too many covers are waiting.'))
  expect(error).toBeInstanceOf(GenerationError)
  expect((error as Error).message).toBe('HTTP error! status: 503')
  expect(failureOf(error)).toEqual({ kind: 'failed', code: 'unavailable', sentence: 'Too many covers are waiting.' })
})

it('tells the status alone when the answer holds no words for readers', () =>
  expect(failureOf(startError(new ApiError(502, 'unreadable', '<html>'))).sentence).toBe('HTTP error! status: 502'))

it('knows a refused description', () =>
  expect(failureOf(startError(new ApiError(422, 'content_refused', 'Declined.'))).kind).toBe('refused'))

it('says that a cover may still come when nobody said that it will not', () => {
  expect(mayStillCome(failureOf(new ApiError(0, 'timeout', 'Late.')))).toBe(true)
  expect(mayStillCome(failureOf(new ApiError(0, 'network', 'Away.')))).toBe(true)
  expect(mayStillCome(failureOf(new Error('unforeseen')))).toBe(false)
})
