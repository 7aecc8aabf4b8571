import { describe, expect, it } from 'vitest'
import { coversLeft } from './covers-left'

const limits = { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 3 }

describe('generations left this month', () => {
  it('follow the free limit for free readers', () =>
    expect(coversLeft({ isPro: false, generationsThisMonth: 1, credits: 0 }, limits)).toBe(2))
  it('follow the Pro limit for Pro readers', () =>
    expect(coversLeft({ isPro: true, generationsThisMonth: 1, credits: 0 }, limits)).toBe(14))
  it('are without end while Pro is unlimited, for Pro readers only', () => {
    const unlimited = { ...limits, proUnlimited: true }
    expect(coversLeft({ isPro: true, generationsThisMonth: 99, credits: 0 }, unlimited)).toBe(Number.POSITIVE_INFINITY)
    expect(coversLeft({ isPro: false, generationsThisMonth: 1, credits: 0 }, unlimited)).toBe(2)
  })
  it('never fall below none', () =>
    expect(coversLeft({ isPro: false, generationsThisMonth: 9, credits: 0 }, limits)).toBe(0))
})

it('counts what an administrator gave beyond the limit', () => {
  const limits = { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 1 }
  expect(coversLeft({ isPro: false, generationsThisMonth: 4, credits: 2 }, limits)).toBe(2)
  expect(coversLeft({ isPro: true, generationsThisMonth: 5, credits: 2 }, limits)).toBe(12)
})
