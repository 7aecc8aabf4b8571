import { describe, expect, it } from 'vitest'
import type { ElementIn } from '@/api/generated'
import { added, changed, MOST_ELEMENTS, replaced, without } from './elements'

const thing = (id: string, more: Partial<ElementIn> = {}): ElementIn => ({ kind: 'subject', id, label: id, ...more })
const night = thing('night', { kind: 'time' })
const dawn = thing('dawn', { kind: 'time' })

describe('the list of what will be drawn', () => {
  it('takes a thing once, and one time of day', () => {
    expect(added([thing('fox')], thing('moon')).map(({ id }) => id)).toEqual(['fox', 'moon'])
    expect(added([thing('fox', { count: 3 })], thing('fox'))).toEqual([thing('fox', { count: 3 })])
    expect(added([thing('fox'), night], dawn).map(({ id }) => id)).toEqual(['fox', 'dawn'])
  })

  it('has no more than the server takes', () => {
    const full = Array.from({ length: MOST_ELEMENTS }, (_, at) => thing(`thing-${at}`))
    expect(added(full, thing('fox'))).toEqual(full)
  })

  it('keeps number and color of what is replaced, and no double', () => {
    const list = [thing('fox', { count: 4, color: 'red' }), thing('moon')]
    expect(replaced(list, 0, thing('wolf'))).toEqual([thing('wolf', { count: 4, color: 'red' }), thing('moon')])
    expect(replaced(list, 0, thing('moon')).map(({ id, count }) => [id, count])).toEqual([['moon', 4]])
    expect(replaced(list, 0, night)[0]).toEqual(night)
  })

  it('changes and loses one', () => {
    const list = [thing('fox'), thing('moon')]
    expect(changed(list, 1, { count: 4 })).toEqual([thing('fox'), thing('moon', { count: 4 })])
    expect(without(list, 0)).toEqual([thing('moon')])
  })
})
