import { describe, expect, it } from 'vitest'
import { sheet } from '../test-book'
import { cutOut, firstTurn, seen, shade, solidOf, turnTo, wrapped } from './solid'

const paperback = { sheet, drawn: sheet, hardcover: false, rightToLeft: false }
/** KDP's hardcover of 6x9 inches with 300 cream pages. */
const cased = { ...sheet, spine: 0.938976, width: 14.514, height: 10.417, bleed: 0.590551 }
const face = (solid: ReturnType<typeof solidOf>, name: string) => {
  const found = solid.faces.find((one) => one.name === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

describe('a paperback', () => {
  it('is as large as its trim and as thick as its spine', () => {
    const { width, height, depth, faces } = solidOf(paperback)
    expect([width, height, depth]).toEqual([6, 9, 0.75])
    expect(faces).toHaveLength(6)
    expect(faces.filter(({ side }) => side).map(({ side }) => side)).toEqual(['front', 'back', 'spine'])
  })

  it('has its spine at the left of its front, and at the right where it is read from right to left', () => {
    expect(face(solidOf(paperback), 'book-left')).toMatchObject({ side: 'spine', at: [-3, 0, 0], width: 0.75 })
    const other = solidOf({ ...paperback, rightToLeft: true })
    expect(face(other, 'book-right')).toMatchObject({ side: 'spine', at: [3, 0, 0] })
    expect(face(other, 'book-left').pages).toBe('across')
  })

  it('is thicker at once, on a picture that was drawn for a thinner one', () => {
    const wider = { ...sheet, spine: 0.8, width: 13.05 }
    const { width, depth, faces } = solidOf({ ...paperback, sheet: wider })
    expect([width, depth]).toEqual([6, 0.8].map((inches) => expect.closeTo(inches, 9)))
    expect(faces.find(({ side }) => side === 'spine')).toMatchObject({ width: 0.8, cut: { x: 6.125, width: 0.75 } })
  })

  it('is never without any thickness', () => {
    expect(solidOf({ ...paperback, sheet: { ...sheet, spine: 0, width: 12.25 } }).depth).toBeGreaterThan(0)
  })
})

describe('a hardcover', () => {
  const solid = solidOf({ sheet: cased, drawn: cased, hardcover: true, rightToLeft: false })

  it('has boards that stand out over its pages on three sides', () => {
    const [board, pages] = [face(solid, 'front-near'), face(solid, 'pages-near')]
    expect(board.width - pages.width).toBeCloseTo(0.2125, 4)
    expect(board.height - pages.height).toBeCloseTo(0.236, 4)
    expect(face(solid, 'pages-right').at[0]).toBeLessThan(solid.width / 2)
    expect(face(solid, 'pages-right').width).toBeCloseTo(0.75, 3)
  })

  it('shows at the edges of its boards what is folded over them', () => {
    const { cut } = face(solid, 'front-right')
    const front = face(solid, 'front-near').cut
    expect(cut?.x).toBeCloseTo((front?.x ?? 0) + (front?.width ?? 0), 6)
    expect(cut?.width).toBeCloseTo(0.0945, 6)
    expect(face(solid, 'back-right').cut?.x).toBeCloseTo(0.590551 - 0.0945, 6)
  })

  it('has one spine, and nothing that lies on it', () => {
    expect(solid.faces.filter(({ side }) => side === 'spine')).toHaveLength(1)
    expect(solid.faces.filter(({ at }) => at[0] === -solid.width / 2).map(({ name }) => name)).toEqual(['spine-left'])
  })
})

it('cuts a part out of a picture of the whole sheet', () => {
  expect(cutOut(sheet, { x: 0, y: 0, width: 6.5, height: 9.25 })).toEqual({ size: '200% 100%', position: '0% 0%' })
  expect(cutOut(sheet, { x: 6.125, y: 0.125, width: 0.75, height: 9 })).toEqual({
    size: '1733.3333% 102.7778%',
    position: '50% 50%',
  })
})

describe('turning', () => {
  it('leads to each side, around the spine', () => {
    for (const rightToLeft of [false, true])
      for (const side of ['front', 'spine', 'back'] as const)
        expect(seen(turnTo(side, rightToLeft), rightToLeft)).toBe(side)
    expect([turnTo('spine', false), turnTo('spine', true)]).toEqual([90, -90])
  })

  it('begins with the front and some of the spine', () => {
    const lit = (rightToLeft: boolean) => shade([rightToLeft ? 1 : -1, 0, 0], firstTurn(rightToLeft), 0)
    expect(seen(firstTurn(true), true)).toBe('front')
    expect(lit(true)).toBe(lit(false))
    expect(lit(false)).toBeLessThan(shade([1, 0, 0], firstTurn(false), 0))
  })

  it('goes all the way round, past the pages', () => {
    expect([wrapped(190), wrapped(-190), wrapped(720), wrapped(-180)]).toEqual([-170, 170, 0, 180])
    expect([seen(-90, false), seen(90, true), seen(-170, false)]).toEqual(['pages', 'pages', 'back'])
  })
})

it('is darkest where it looks away from the light', () => {
  expect(shade([0, 0, 1], 0, -9)).toBeLessThan(0.06)
  expect(shade([0, 0, 1], 60, -9)).toBeGreaterThan(shade([0, 0, 1], 20, -9))
  expect(shade([0, 0, -1], 0, -9)).toBe(0.42)
})
