import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ADVANCE_INTERVAL,
  COPIES,
  isNearEnd,
  JUMP_DELAY,
  sameSlideInMiddle,
  slidesInView,
  startSlide,
} from './carousel-motion'
import { SLIDE_DURATION, useCarousel } from './use-carousel'

describe('the row of the carousel', () => {
  it('repeats its covers five times and begins in the middle', () => {
    expect(COPIES).toBe(5)
    expect(startSlide(8)).toBe(16)
  })
  it('has an end zone in its first and its last copy', () => {
    expect([7, 8, 31, 32].map((slide) => isNearEnd(slide, 8))).toEqual([true, false, false, true])
  })
  it('knows the same cover in the middle copy', () => {
    expect(sameSlideInMiddle(35, 8)).toBe(19)
    expect(sameSlideInMiddle(3, 8)).toBe(19)
    expect(sameSlideInMiddle(-1, 8)).toBe(23)
  })
  it('shows more covers in a wider window', () =>
    expect([390, 800, 1280, 1920].map(slidesInView)).toEqual([2, 3, 5, 7]))
})

describe('the carousel', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

  it('moves on every 2500 ms', () => {
    const { result } = renderHook(() => useCarousel(8, false))
    expect(ADVANCE_INTERVAL).toBe(2500)
    pass(2499)
    expect(result.current.slide).toBe(16)
    pass(1)
    expect(result.current.slide).toBe(17)
  })

  it('stands still while it is held', () => {
    const { result } = renderHook(() => useCarousel(8, true))
    pass(10_000)
    expect(result.current.slide).toBe(16)
  })

  it.each([16, -9])('jumps back unseen after %i steps, with the transition off for 50 ms', (steps) => {
    const { result } = renderHook(() => useCarousel(8, true))
    act(() => result.current.move(steps))
    const reached = result.current.slide
    expect(result.current.gliding).toBe(true)
    pass(SLIDE_DURATION)
    expect(result.current).toMatchObject({ slide: sameSlideInMiddle(reached, 8), gliding: false })
    expect(JUMP_DELAY).toBe(50)
    pass(49)
    expect(result.current.gliding).toBe(false)
    pass(1)
    expect(result.current.gliding).toBe(true)
  })
})
