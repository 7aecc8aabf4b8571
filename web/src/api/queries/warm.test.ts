import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { warm } from './warm'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new Promise(() => undefined)

/** Whether a loader has let the navigation go on after so many milliseconds. */
async function goesOn(loading: Promise<void>, after: number): Promise<boolean> {
  const done = vi.fn()
  void loading.then(done)
  await vi.advanceTimersByTimeAsync(after)
  return done.mock.calls.length > 0
}

it('a page that opens waits for its data', async () => {
  let arrive = (): void => undefined
  const data = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const loading = warm('enter', [data])
  expect(await goesOn(loading, 50)).toBe(false)
  arrive()
  expect(await goesOn(loading, 0)).toBe(true)
})

it('a page opens without its data when they take long', async () => {
  const loading = warm('enter', [never])
  expect(await goesOn(loading, 150)).toBe(false)
  expect(await goesOn(loading, 100)).toBe(true)
})

it('a page that is shown already does not wait', async () => {
  expect(await goesOn(warm('stay', [never]), 0)).toBe(true)
})

it('what fails is left to the page', async () => {
  expect(await goesOn(warm('enter', [Promise.reject(new Error('Away.'))]), 0)).toBe(true)
  expect(await goesOn(warm('stay', [Promise.reject(new Error('Away.'))]), 0)).toBe(true)
})
