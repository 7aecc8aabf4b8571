import { afterEach, expect, it, vi } from 'vitest'
import { randomKey } from './random-key'

afterEach(() => void vi.unstubAllGlobals())

it('is another one every time', () => expect(randomKey()).not.toBe(randomKey()))

it('is there on plain http as well', () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(171) })
  expect(randomKey()).toBe('ab'.repeat(16))
})
