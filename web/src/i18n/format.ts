import { useTranslation } from 'react-i18next'
import { dateLabel, type TimeLabel } from './date-label'
import { directionOf } from './languages'

type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat

/** Below this every language writes a count alike, and the first screen need not wait for the browser's tables. */
const UNGROUPED = 1000

const formatterCache = new Map<string, Formatter>()

function cached<T extends Formatter>(key: string, make: () => T): T {
  const known = formatterCache.get(key)
  if (known) return known as T
  const fresh = make()
  formatterCache.set(key, fresh)
  return fresh
}

// "US$" falls apart inside right-to-left text unless it is isolated
const isolate = (text: string) => `\u2066${text}\u2069`

// ISO 4217, 2024. Browsers count as people do in shops: in theirs forints and rupiahs have no hundredths, which every
// payment provider counts all the same
const whole = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const thousandths = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

/** How many digits of a currency stand behind the point. */
function digitsOf(currency: string): number {
  const code = currency.toUpperCase()
  return whole.includes(code) ? 0 : thousandths.includes(code) ? 3 : 2
}

/** Formatters for one language. Latin digits everywhere, so that prices and codes can be copied. */
export function formatters(language: string) {
  const locale = `${language}-u-nu-latn`
  const number = (value: number, digits = 0) =>
    digits === 0 && Number.isInteger(value) && value >= 0 && value < UNGROUPED
      ? String(value)
      : cached(
          `number ${locale} ${digits}`,
          () => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
        ).format(value)
  const amount = (minor: number, currency: string) => {
    const digits = digitsOf(currency)
    const major = minor / 10 ** digits
    return number(major, Number.isInteger(major) ? 0 : digits)
  }
  const coded = (minor: number, currency: string) => `${amount(minor, currency)} ${currency.toUpperCase()}`
  const unbroken = (price: string) => (directionOf(language) === 'rtl' ? isolate(price) : price)

  return {
    number: (value: number) => number(value),
    /** A measure with up to two decimals: `6`, `8.25`. */
    decimal: (value: number) =>
      cached(`decimal ${locale}`, () => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })).format(value),
    /** A measure as printers give it, with up to four decimals: `0.6756`. */
    measure: (value: number) =>
      cached(`measure ${locale}`, () => new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })).format(value),
    /** An amount in micros of a dollar, with four decimals where two would hide it: `$0.0042`, `$12.50`. */
    micros: (micros: number) => {
      const digits = micros !== 0 && Math.abs(micros) < 1_000_000 ? 4 : 2
      return cached(
        `micros ${locale} ${digits}`,
        () =>
          new Intl.NumberFormat(locale, {
            style: 'currency',
            currency: 'USD',
            currencyDisplay: 'narrowSymbol',
            minimumFractionDigits: 2,
            maximumFractionDigits: digits,
          }),
      )
        .formatToParts(micros / 1_000_000)
        .map((part) => (part.type === 'currency' ? isolate(part.value) : part.value))
        .join('')
    },
    /** A share of 1: `98.5%`. */
    percent: (share: number) =>
      cached(
        `percent ${locale}`,
        () => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
      ).format(share),
    /** A duration given in milliseconds: `480 ms`, `12.5 s`. */
    duration: (ms: number) =>
      cached(
        `duration ${locale} ${ms < 1000}`,
        () =>
          new Intl.NumberFormat(locale, {
            style: 'unit',
            unit: ms < 1000 ? 'millisecond' : 'second',
            maximumFractionDigits: ms < 1000 ? 0 : 1,
          }),
      ).format(ms < 1000 ? ms : ms / 1000),
    /** `Oct 20, 2026, 3:04 PM`. */
    time: (date: string) =>
      cached(
        `time ${locale}`,
        () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
      ).format(toDate(date)),
    /** How long ago it was, to the minute: `5 minutes ago`. */
    ago: (date: string) =>
      cached(`ago ${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(
        ...span((toDate(date).getTime() - Date.now()) / 1000),
      ),
    /** A plan's price: `$19` for dollars, the amount and the code for any other currency: `19 EUR`. */
    price: (minor: number, currency: string) =>
      unbroken(currency.toUpperCase() === 'USD' ? `$${amount(minor, currency)}` : coded(minor, currency)),
    /** An amount on a bill, with all its digits: `$9.00`, `9.00 EUR`, `900 JPY`. */
    exact: (minor: number, currency: string) => {
      const digits = digitsOf(currency)
      const major = number(minor / 10 ** digits, digits)
      return unbroken(currency.toUpperCase() === 'USD' ? `$${major}` : `${major} ${currency.toUpperCase()}`)
    },
    /** An amount with the code of any currency, dollars too: `19 USD`, `1900 JPY`. */
    coded: (minor: number, currency: string) => unbroken(coded(minor, currency)),
    /** `20 October 2026`, for a date as ISO text or as unix seconds. */
    longDate: (date: string | number) =>
      cached(`long ${locale}`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'long' })).format(toDate(date)),
    /** `October 2026`: the month (1 to 12) of a year. */
    month: (year: number, month: number) =>
      cached(
        `month ${locale}`,
        () => new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
      ).format(Date.UTC(year, month - 1)),
    /** `Oct 20, 2026`. */
    date: (date: string | number) =>
      cached(`date ${locale}`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })).format(toDate(date)),
  }
}

/** The largest unit that fits, and how many of it; `seconds` are negative in the past. */
function span(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return [Math.trunc(seconds / length), unit]
  }
  return [Math.trunc(seconds), 'second']
}

const UNITS = [
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const toDate = (date: string | number) => new Date(typeof date === 'number' ? date * 1000 : date)

const intervals = { month: 'perMonth', year: 'perYear', week: 'perWeek', day: 'perDay' } as const

/** The formatters of the current language, the label of a past day ("yesterday", "3 weeks ago"), and how often: `$19/month`. */
export function useFormat() {
  const { t, i18n } = useTranslation()
  const label = (iso: string) => {
    const { key, count } = dateLabel(new Date(iso), new Date())
    return t(`time.${key}` satisfies `time.${TimeLabel}`, { count })
  }
  const format = formatters(i18n.language)
  const each = (price: string, interval: string) =>
    t(`landing.pricing.${intervals[interval as keyof typeof intervals] ?? intervals.month}`, { price })
  const priceEach = (minor: number, currency: string, interval: string) => each(format.price(minor, currency), interval)
  return { ...format, label, each, priceEach }
}
