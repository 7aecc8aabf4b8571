import { expect, it } from 'vitest'
import { dimensions, pixels, trimSize } from './formats'

it('offers the four formats of the plain generator', () =>
  expect(dimensions).toEqual(['6x9', '8.5x11', '8x8', 'custom']))

it.each([
  ['6x9', 1800, 2700],
  ['8.5x11', 2550, 3300],
  ['8x8', 2400, 2400],
] as const)('%s is printed at 300 dots per inch', (choice, width, height) =>
  expect(pixels(trimSize(choice, '', ''))).toEqual({ width, height }),
)

it('draws a custom format as typed, and as a paperback until it is complete', () => {
  expect(trimSize('custom', '5.5', '8.5')).toEqual({ width: 5.5, height: 8.5 })
  expect(trimSize('custom', '5.5', '')).toEqual({ width: 6, height: 9 })
})
