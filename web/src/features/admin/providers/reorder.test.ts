import { describe, expect, it } from 'vitest'
import { dropIndex, reorder } from './reorder'

describe('an order', () => {
  it.each([
    ['c', 0, ['c', 'a', 'b']],
    ['a', 1, ['b', 'a', 'c']],
    ['a', 9, ['b', 'c', 'a']],
    ['b', -1, ['b', 'a', 'c']],
  ])('with %s moved to %i', (id, place, order) => expect(reorder(['a', 'b', 'c'], id, place)).toEqual(order))

  it('takes a row where it is let go', () => {
    const rows = ['a', 'b', 'c'].map((id, at) => ({ id, top: at * 100, height: 100 }))
    expect(dropIndex(20, rows, 'c')).toBe(0)
    expect(dropIndex(120, rows, 'c')).toBe(1)
    expect(dropIndex(180, rows, 'a')).toBe(1)
    expect(dropIndex(900, rows, 'a')).toBe(2)
  })
})
