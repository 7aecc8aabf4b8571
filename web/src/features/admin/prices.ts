import * as v from 'valibot'
import type { InstanceOut } from '@/api/generated'
import { toMicros } from './dollars'

const MOST_MICROS = 1_000_000_000
/** As many decimals as amounts are shown with. */
const PRICE = /^\d{1,4}(?:[.,]\d{1,4})?$/

const isPrice = (typed: string) =>
  typed.trim() === '' || (PRICE.test(typed.trim()) && (toMicros(typed) ?? 0) <= MOST_MICROS)

/** Prices as they are typed, by any key. */
export const pricesSchema = v.record(v.string(), v.pipe(v.string(), v.check(isPrice, 'admin.prices.invalid')))

type Priced = Pick<InstanceOut, 'prices'>

/** Whether what a picture costs is not known beforehand, so that no budget can be kept. */
export const isUnpriced = ({ prices }: Priced) => prices.some(({ isOffered, micros }) => isOffered && micros === null)

/** Whether it is not known afterwards either. */
export const isCostUnknown = ({ prices }: Priced) =>
  prices.some(({ isOffered, micros, own }) => isOffered && micros === null && own === 'unknown')

/** The section of an instance's page where prices are set. */
export const PRICES = 'prices'
