import { expect, it } from 'vitest'
import { isAmount, toDollars, toMicros } from './dollars'

it.each([
  ['12.5', 12_500_000],
  ['0,0042', 4_200],
  [' 3 ', 3_000_000],
  ['', null],
])('%j dollars are %j micros', (typed, micros) => {
  expect(isAmount(typed)).toBe(true)
  expect(toMicros(typed)).toBe(micros)
})

it.each(['-1', '1.2345678', 'ten', '1e9', '1.000,50'])('%j is no amount', (typed) =>
  expect(isAmount(typed)).toBe(false),
)

it('is shown as it is typed', () => {
  expect(toDollars(12_500_000)).toBe('12.5')
  expect(toDollars(null)).toBe('')
})
