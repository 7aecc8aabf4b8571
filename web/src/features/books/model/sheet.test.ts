import { describe, expect, it } from 'vitest'
import { book, printers, sheet } from '../test-book'
import { draftOf } from './draft'
import { bindingOf, pageRange, panelsOf, partOf, sheetAt } from './sheet'

const binding = bindingOf(printers, 'kdp', 'paperback')
const settings = draftOf(book()).editions['kdp-paperback']
if (!binding || !settings) throw new Error('no paperback')

describe('the sheet for another number of pages', () => {
  it('has the spine that the printer says: 320 cream pages are 0.8 inches', () => {
    const wider = sheetAt(sheet, 320, binding, settings)
    expect(wider.spine).toBeCloseTo(0.8, 6)
    expect(wider.width).toBeCloseTo(13.05, 6)
    expect(wider.spineMm).toBeCloseTo(20.32, 6)
    expect(wider.height).toBe(sheet.height)
  })
  it('counts the blank page behind an odd one', () => expect(sheetAt(sheet, 319, binding, settings).pages).toBe(320))
  it('stays as it is where only the printer knows its spine', () =>
    expect(sheetAt(sheet, 320, binding, { ...settings, spine: 0.7 })).toBe(sheet))
})

describe('the parts of a sheet', () => {
  it('lie as KDP has them, 6 inches each beside the spine', () => {
    const { back, spine, front, cut } = panelsOf(sheet, false)
    expect([back.x, spine.x, front.x]).toEqual([0.125, 6.125, 6.875])
    expect([back.width, front.width, spine.width]).toEqual([6, 6, 0.75])
    expect(cut).toEqual({ x: 0.125, y: 0.125, width: 12.75, height: 9 })
  })
  it('are the other way round in a book that is read from right to left', () => {
    const { back, front } = panelsOf(sheet, true)
    expect([front.x, back.x]).toEqual([0.125, 6.875])
  })
})

describe('one part of a sheet', () => {
  it('ends at the folds, and shows the bleed where guides are wanted', () => {
    expect(partOf(sheet, false, 'back', true)).toEqual({ x: 0, y: 0, width: 6.125, height: 9.25 })
    expect(partOf(sheet, false, 'spine', true)).toEqual({ x: 6.125, y: 0, width: 0.75, height: 9.25 })
    expect(partOf(sheet, false, 'front', true)).toEqual({ x: 6.875, y: 0, width: 6.125, height: 9.25 })
  })
  it('is the part as it is cut where there are none', () => {
    expect(partOf(sheet, true, 'front', false)).toEqual(panelsOf(sheet, true).front)
    expect(partOf(sheet, true, 'whole', false)).toEqual({ x: 0, y: 0, width: 13, height: 9.25 })
  })
})

it('knows how many pages a paper takes, or a sensible range where only the printer does', () => {
  expect(pageRange(binding, 'cream')).toEqual([24, 776])
  expect(pageRange(bindingOf(printers, 'ingramspark', 'paperback'), 'template')).toEqual([24, 1200])
  expect(bindingOf(printers, 'kdp', 'scroll')).toBeUndefined()
})
