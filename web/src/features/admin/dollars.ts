import * as v from 'valibot'

const MICROS = 1_000_000
const AMOUNT = /^\d{1,9}(?:[.,]\d{1,6})?$/

/** Whether a typed limit can be understood; nothing typed is no limit. */
export const isAmount = (typed: string) => typed.trim() === '' || AMOUNT.test(typed.trim())

/** Typed dollars in micros; null for no limit. */
export function toMicros(typed: string): number | null {
  const amount = typed.trim().replace(',', '.')
  return amount === '' ? null : Math.round(Number(amount) * MICROS)
}

/** Micros as they are typed: `12.5`, empty for no limit. */
export const toDollars = (micros: number | null) => (micros === null ? '' : String(micros / MICROS))

/** Limits as they are typed, by any key. */
export const budgetSchema = v.record(v.string(), v.pipe(v.string(), v.check(isAmount)))
