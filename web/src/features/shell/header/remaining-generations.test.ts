import { describe, expect, it } from 'vitest'
import { remainingGenerations } from './remaining-generations'

const limits = { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 3 }

describe('generations left this month', () => {
  it('follow the free limit for free readers', () =>
    expect(remainingGenerations({ isPro: false, generationsThisMonth: 1 }, limits)).toBe(2))
  it('follow the Pro limit for Pro readers', () =>
    expect(remainingGenerations({ isPro: true, generationsThisMonth: 1 }, limits)).toBe(14))
  it('are without end while Pro is unlimited, for Pro readers only', () => {
    const unlimited = { ...limits, proUnlimited: true }
    expect(remainingGenerations({ isPro: true, generationsThisMonth: 99 }, unlimited)).toBe(Number.POSITIVE_INFINITY)
    expect(remainingGenerations({ isPro: false, generationsThisMonth: 1 }, unlimited)).toBe(2)
  })
  it('never fall below none', () =>
    expect(remainingGenerations({ isPro: false, generationsThisMonth: 9 }, limits)).toBe(0))
})
