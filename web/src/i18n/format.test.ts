import { describe, expect, it } from 'vitest'
import { dateLabel } from './date-label'
import { formatters } from './format'
import { languages } from './languages'

const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '').replace(/\u00a0|\u202f/g, ' ')

describe('a price', () => {
  it('is a dollar sign and the amount in dollars', () => {
    expect(formatters('en').price(1900, 'usd')).toBe('$19')
    expect(formatters('en').price(1950, 'usd')).toBe('$19.50')
    expect(formatters('en').exact(900, 'usd')).toBe('$9.00')
    expect(formatters('de').exact(190000, 'eur')).toBe('1.900,00 EUR')
    expect(formatters('en').exact(900, 'jpy')).toBe('900 JPY')
    expect(formatters('en').price(0, 'usd')).toBe('$0')
  })
  it('is the amount and the capital code in any other currency', () => {
    expect(formatters('en').price(1900, 'eur')).toBe('19 EUR')
    expect(formatters('de').price(1950, 'chf')).toBe('19,50 CHF')
  })
  it('knows currencies without minor units', () => expect(formatters('ja').price(1900, 'jpy')).toBe('1,900 JPY'))
  it('counts minor units as payment providers do, not as the browser’s tables', () => {
    for (const currency of ['huf', 'idr', 'cop', 'rsd', 'all', 'mga'])
      expect(formatters('en').price(190_000, currency)).toBe(`1,900 ${currency.toUpperCase()}`)
    expect(formatters('en').price(900, 'isk')).toBe('900 ISK')
  })
  it('shows all of the thousandths', () => {
    expect(formatters('en').price(5_750, 'kwd')).toBe('5.750 KWD')
    expect(formatters('en').price(6_000, 'kwd')).toBe('6 KWD')
  })
})

it('writes an amount with the code of its currency', () => {
  expect(formatters('en').coded(1900, 'usd')).toBe('19 USD')
  expect(formatters('en').coded(1850, 'eur')).toBe('18.50 EUR')
  expect(formatters('en').coded(1900, 'jpy')).toBe('1,900 JPY')
})

it('isolates a currency’s sign, so that it stays whole in Arabic', () => {
  expect(formatters('ar').micros(18_420_500_000)).toMatch(/\u2066[^\u2069]+\u2069/)
  expect(formatters('ar').price(1850, 'EUR')).toBe('\u206618.50 EUR\u2069')
})

describe('numbers and dates', () => {
  it('use Latin digits in every language', () => {
    for (const language of ['ar', 'hi']) {
      expect(formatters(language).number(1234567)).toMatch(/^[\d,.]+$/)
      expect(formatters(language).date('2026-10-20T09:30:00Z')).toMatch(/20/)
    }
  })
  it('group as the language does', () => {
    expect(formatters('hi').number(1234567)).toBe('12,34,567')
    expect(formatters('en').number(1234567)).toBe('1,234,567')
  })
  it('write small counts as every browser would', () => {
    for (const language of languages.map(({ code }) => code)) {
      const browser = new Intl.NumberFormat(`${language}-u-nu-latn`)
      for (const count of [0, 7, 40, 999]) expect(formatters(language).number(count)).toBe(browser.format(count))
    }
  })
  it('read dates as ISO text and as unix seconds', () => {
    expect(formatters('en').longDate('2026-10-20T12:00:00Z')).toBe('October 20, 2026')
    expect(formatters('en').longDate(Date.UTC(2026, 9, 20, 12) / 1000)).toBe('October 20, 2026')
  })
})

describe('the label of a day', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  it.each([
    [0, 'today', 0],
    [1, 'today', 0],
    [24, 'today', 0],
    [25, 'yesterday', 1],
    [48, 'yesterday', 1],
    [49, 'daysAgo', 3],
    [24 * 7, 'daysAgo', 7],
    [24 * 7 + 1, 'weeksAgo', 1],
    [24 * 14, 'weeksAgo', 2],
    [24 * 30, 'weeksAgo', 4],
    [24 * 30 + 1, 'monthsAgo', 1],
    [24 * 90, 'monthsAgo', 3],
  ])('after %i hours is %s (%i)', (hours, key, count) => expect(dateLabel(ago(hours), now)).toEqual({ key, count }))
  it('calls a clock that runs ahead today', () => expect(dateLabel(ago(-5), now).key).toBe('today'))
})

describe('figures of operation', () => {
  it('show what two decimals would hide', () => {
    expect(plain(formatters('en').micros(4_200))).toBe('$0.0042')
    expect(plain(formatters('en').micros(12_500_000))).toBe('$12.50')
    expect(plain(formatters('de').micros(0))).toBe('0,00 $')
  })
  it('tell durations in the unit that fits', () => {
    expect(formatters('en').duration(480)).toBe('480 ms')
    expect(formatters('en').duration(12_540)).toBe('12.5 sec')
  })
  it('tell how long ago something was', () => {
    const past = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
    expect(formatters('en').ago(past(300))).toBe('5 minutes ago')
    expect(formatters('en').ago(past(3 * 3600 + 20))).toBe('3 hours ago')
    expect(formatters('en').ago(past(0))).toBe('now')
  })
  it('tell shares in percent', () => expect(formatters('en').percent(0.985)).toBe('98.5%'))
})
