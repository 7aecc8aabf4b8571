import type { Sheet } from '@/api/generated'
import { type Box, panelsOf } from '../model/sheet'

/*
 * A book as a thing, in inches: x to the right, y down and z towards the eye, around its middle, as CSS has them. Its
 * front looks at the eye while it is not turned.
 */

/** Inches of a hardcover's board; two of them are what KDP adds to the spine, 4.8 mm. */
const BOARD = 0.0945
/** Inches that a board is larger than the pages, at the head, the foot and the fore edge. */
const SQUARE = 0.118
/** The thinnest block of pages that is still seen as one. */
const THINNEST = 0.02

export type Side = 'front' | 'spine' | 'back'
export const SIDES: readonly Side[] = ['front', 'spine', 'back']

type Vector = readonly [x: number, y: number, z: number]

/** One rectangle of the book. `cut` is its place on the sheet; what has none is paper. */
export type Face = {
  name: string
  width: number
  height: number
  at: Vector
  /** How it is turned out of the plane of the front, in CSS. */
  turn: string
  normal: Vector
  cut?: Box
  /** Where the edges of pages are seen: whether they run along its width. */
  pages?: 'along' | 'across'
  /** Set on front and spine and back. */
  side?: Side
}

export type Solid = { width: number; height: number; depth: number; faces: Face[] }

type Asked = {
  /** The sheet as it is now: the size of the book. */
  sheet: Sheet
  /** The sheet that was drawn; it may still have another spine. */
  drawn: Sheet
  hardcover: boolean
  rightToLeft: boolean
}

const DIRECTIONS = {
  near: { turn: '', normal: [0, 0, 1] },
  far: { turn: 'rotateY(180deg)', normal: [0, 0, -1] },
  left: { turn: 'rotateY(-90deg)', normal: [-1, 0, 0] },
  right: { turn: 'rotateY(90deg)', normal: [1, 0, 0] },
  top: { turn: 'rotateX(90deg)', normal: [0, -1, 0] },
  bottom: { turn: 'rotateX(-90deg)', normal: [0, 1, 0] },
} as const satisfies Record<string, { turn: string; normal: Vector }>
type Direction = keyof typeof DIRECTIONS

type Looks = Partial<Record<Direction, Pick<Face, 'cut' | 'pages' | 'side'>>>

/** The six faces of a block. */
function block(name: string, middle: Vector, size: Vector, looks: Looks): Face[] {
  const [width, height, depth] = size
  return (Object.keys(DIRECTIONS) as Direction[]).map((direction) => {
    const { turn, normal } = DIRECTIONS[direction]
    const flat = direction === 'top' || direction === 'bottom'
    const aside = direction === 'left' || direction === 'right'
    const [x, y, z] = [0, 1, 2].map((axis) => (middle[axis] ?? 0) + ((normal[axis] ?? 0) * (size[axis] ?? 0)) / 2)
    return {
      name: `${name}-${direction}`,
      width: aside ? depth : width,
      height: flat ? depth : height,
      at: [x ?? 0, y ?? 0, z ?? 0],
      turn,
      normal,
      ...looks[direction],
    }
  })
}

/** The book that a sheet is folded around. */
export function solidOf({ sheet, drawn, hardcover, rightToLeft }: Asked): Solid {
  const { front } = panelsOf(sheet, rightToLeft)
  const { width, height } = front
  const depth = Math.max(sheet.spine, hardcover ? 2 * BOARD + THINNEST : THINNEST)
  const spine: Direction = rightToLeft ? 'right' : 'left'
  const fore: Direction = rightToLeft ? 'left' : 'right'
  const cuts = panelsOf(drawn, rightToLeft)
  if (!hardcover) {
    const faces = block('book', [0, 0, 0], [width, height, depth], {
      near: { cut: cuts.front, side: 'front' },
      far: { cut: cuts.back, side: 'back' },
      [spine]: { cut: cuts.spine, side: 'spine' },
      [fore]: { pages: 'across' },
      top: { pages: 'along' },
      bottom: { pages: 'along' },
    })
    return { width, height, depth, faces }
  }
  const outwards = rightToLeft ? -1 : 1
  const board = (name: string, z: number, side: Side, panel: Box, looks: Looks) =>
    block(name, [0, 0, z], [width, height, BOARD], {
      // what is folded over the edges stands beside the panel on the sheet
      top: { cut: { ...panel, y: panel.y - BOARD, height: BOARD } },
      bottom: { cut: { ...panel, y: panel.y + panel.height, height: BOARD } },
      [fore]: { cut: { ...panel, x: besides(panel, cuts.spine), width: BOARD } },
      ...looks,
      [side === 'front' ? 'near' : 'far']: { cut: panel, side },
    })
  const boardAt = (depth - BOARD) / 2
  const between = depth - 2 * BOARD
  const pages: Vector = [width - BOARD - SQUARE, height - 2 * SQUARE, between]
  const faces = [
    ...board('front', boardAt, 'front', cuts.front, {}),
    ...board('back', -boardAt, 'back', cuts.back, {}),
    ...block('hull', [(-outwards * (width - BOARD)) / 2, 0, 0], [BOARD, height, between], {
      top: { cut: { ...cuts.spine, y: cuts.spine.y - BOARD, height: BOARD } },
      bottom: { cut: { ...cuts.spine, y: cuts.spine.y + cuts.spine.height, height: BOARD } },
    }),
    ...block('pages', [(outwards * (BOARD - SQUARE)) / 2, 0, 0], pages, {
      [fore]: { pages: 'across' },
      top: { pages: 'along' },
      bottom: { pages: 'along' },
    }),
    // one piece over hull and boards
    ...block('spine', [0, 0, 0], [width, height, depth], { [spine]: { cut: cuts.spine, side: 'spine' } }).filter(
      ({ side }) => side === 'spine',
    ),
  ]
  return { width, height, depth, faces: faces.filter((face) => !isHidden(face, spine)) }
}

/** Where the strip begins that is folded over the outer edge of a panel. */
const besides = (panel: Box, spine: Box) => (panel.x < spine.x ? panel.x - BOARD : panel.x + panel.width)

/** Faces that lie on others: those of boards and hull at the spine, and what the pages cover. */
function isHidden({ name }: Face, spine: Direction): boolean {
  return [`front-${spine}`, `back-${spine}`, `hull-${spine}`, 'hull-near', 'hull-far', `pages-${spine}`].includes(name)
}

/** How a picture of a whole sheet is laid into a box so that it shows one part of it, as CSS backgrounds want it. */
export function cutOut(sheet: Sheet, { x, y, width, height }: Box): { size: string; position: string } {
  const percent = (part: number) => `${Math.round(part * 1e6) / 1e4}%`
  const along = (begin: number, room: number) => percent(room <= 0 ? 0 : Math.min(1, Math.max(0, begin / room)))
  return {
    size: `${percent(sheet.width / width)} ${percent(sheet.height / height)}`,
    position: `${along(x, sheet.width - width)} ${along(y, sheet.height - height)}`,
  }
}

/** The turn that shows a side; a book that is read from right to left has its spine on the other one. */
export function turnTo(side: Side, rightToLeft: boolean): number {
  const spine = rightToLeft ? -90 : 90
  return { front: 0, spine, back: 2 * spine }[side]
}

/** How a book lies when it is first seen: its front, and a good part of its spine. */
export const firstTurn = (rightToLeft: boolean) => (rightToLeft ? -30 : 30)

/** The same turn between -180 and 180 degrees. */
export function wrapped(turn: number): number {
  const whole = ((turn % 360) + 360) % 360
  return whole > 180 ? whole - 360 : whole
}

/** What one looks at: a side, or where the pages open. */
export function seen(turn: number, rightToLeft: boolean): Side | 'pages' {
  const quarter = Math.round(wrapped(rightToLeft ? -turn : turn) / 90)
  return ({ 0: 'front', 1: 'spine', '-1': 'pages' } as const)[String(quarter)] ?? 'back'
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** From the eye, and a little from above. */
const LIGHT: Vector = [0, -0.34, 0.94]
const DARKEST = 0.42

/** How dark a face is, from 0 to 1, in a book that is turned around its height and tipped towards the eye. */
export function shade([x, y, z]: Vector, turn: number, tip: number): number {
  const [cos, sin] = [Math.cos(radians(turn)), Math.sin(radians(turn))]
  const [right, near] = [x * cos + z * sin, z * cos - x * sin]
  const [down, towards] = [
    y * Math.cos(radians(tip)) - near * Math.sin(radians(tip)),
    y * Math.sin(radians(tip)) + near * Math.cos(radians(tip)),
  ]
  const lit = right * LIGHT[0] + down * LIGHT[1] + towards * LIGHT[2]
  return Math.round(DARKEST * (1 - Math.max(0, lit)) * 1000) / 1000
}
