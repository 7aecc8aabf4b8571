import { describe, expect, it } from 'vitest'
import { allowanceOf, limitMessage, nextMonthStart } from './allowance'

const limits = { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 1 }
const free = (generationsThisMonth: number) => ({ isPro: false, generationsThisMonth, credits: 0 })
const pro = (generationsThisMonth: number) => ({ isPro: true, generationsThisMonth, credits: 0 })

describe('the allowance', () => {
  it('of a free reader is the configured limit, and closes the button when it is used up', () => {
    expect(allowanceOf(free(0), limits)).toEqual({ limit: 1, left: 1, reached: false, closed: false })
    expect(allowanceOf(free(1), limits)).toMatchObject({ left: 0, reached: true, closed: true })
    expect(allowanceOf(free(1), { ...limits, freeMonthlyLimit: 3 })).toMatchObject({ left: 2, closed: false })
    expect(allowanceOf(free(0), { ...limits, freeMonthlyLimit: 0 })).toMatchObject({ left: 0, closed: true })
  })

  it('of a Pro reader leaves the button open at the limit: the click says why', () => {
    expect(allowanceOf(pro(14), limits)).toMatchObject({ left: 1, reached: false })
    expect(allowanceOf(pro(15), limits)).toMatchObject({ left: 0, reached: true, closed: false })
    expect(allowanceOf(pro(40), limits)).toMatchObject({ left: 0, reached: true })
  })

  it('has credits on top, also in what it is part of', () =>
    expect(allowanceOf({ ...free(1), credits: 2 }, limits)).toEqual({
      limit: 3,
      left: 2,
      reached: false,
      closed: false,
    }))

  it('has no end while Pro is unlimited', () =>
    expect(allowanceOf(pro(900), { ...limits, proUnlimited: true })).toMatchObject({
      left: Number.POSITIVE_INFINITY,
      reached: false,
    }))
})

describe('at the limit', () => {
  it('a Pro reader is told the limit', () =>
    expect(limitMessage(pro(15), limits)).toBe("You've reached your monthly limit of 15 generations."))

  it('a free reader is told what Pro gives', () => {
    expect(limitMessage(free(1), limits)).toBe('Upgrade to Pro for 15 generations.')
    expect(limitMessage(free(1), { ...limits, proUnlimited: true })).toBe('Upgrade to Pro for unlimited generations.')
  })

  it.each([
    ['2026-10-20T10:00:00Z', '2026-11-01'],
    ['2026-12-31T23:59:59Z', '2027-01-01'],
    ['2027-01-01T00:00:00Z', '2027-02-01'],
  ])('the count that ran at %s begins again on %s', (now, day) =>
    expect(nextMonthStart(new Date(now)).toISOString()).toBe(`${day}T00:00:00.000Z`),
  )
})
