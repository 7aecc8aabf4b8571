import { afterEach, expect, it, vi } from 'vitest'
import { requestKey } from './request-key'

afterEach(() => void vi.unstubAllGlobals())

it('is another one every time', () => expect(requestKey()).not.toBe(requestKey()))

it('is there on plain http as well', () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(171) })
  expect(requestKey()).toBe('ab'.repeat(16))
})
