import type { Block, InkBox, Lettering, TextEffect } from '@/api/generated'

export const PROPERTIES = ['font', 'size', 'place', 'align', 'case', 'track', 'color', 'effect'] as const
/** What can be fixed by hand. */
export type Property = (typeof PROPERTIES)[number]

export const EFFECTS = ['none', 'shadow', 'outline', 'plate', 'scrim', 'gradient', 'blur'] as const
export type EffectKind = (typeof EFFECTS)[number]

/** Shares of the panel's shorter side: how far type that is placed at an edge stays away from it. */
const MARGIN = 0.06
/** So near to the middle a block snaps to it, as a share of the panel. */
const NEAR = 0.008
const LEAST = 0.02

export const effectOf = (block: Block): Required<TextEffect> => ({
  kind: 'none',
  color: '#000000',
  amount: 0,
  ...block.effect,
})

export const heldOf = (block: Block) => (block.held ?? []) as Property[]

/** The block with other values, these held from now on. */
export const fixed = (block: Block, change: Partial<Block>, ...properties: Property[]): Block => ({
  ...block,
  ...change,
  held: PROPERTIES.filter((name) => heldOf(block).includes(name) || properties.includes(name)),
})

export const withBlock = (lettering: Lettering, index: number, block: Block): Lettering => ({
  ...lettering,
  blocks: (lettering.blocks ?? []).map((old, place) => (place === index ? block : old)),
})

/** Whether capitals mean anything to a text. */
export const hasCase = (text: string) => text.toUpperCase() !== text.toLowerCase()

/** The end of its area at which the letters stand. */
type Anchor = 'start' | 'middle' | 'end'
type Span = { start: number; length: number }

/** Where in its area the ink of a block hangs, across and down the panel. */
export function anchors({ align = 'center', valign = 'top', turn = 0 }: Block): { across: Anchor; down: Anchor } {
  const along: Anchor = align === 'left' ? 'start' : align === 'right' ? 'end' : 'middle'
  const beside: Anchor = valign === 'top' ? 'start' : valign === 'bottom' ? 'end' : 'middle'
  const other = { start: 'end', middle: 'middle', end: 'start' } as const
  if (turn === 90) return { across: other[beside], down: along }
  if (turn === 270) return { across: beside, down: other[along] }
  return { across: along, down: beside }
}

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most))

/** A span whose anchor is elsewhere, as long as it was or as there is room for. */
function at(anchor: Anchor, point: number, length: number): Span {
  if (anchor === 'start') {
    const start = within(point, 0, 1 - LEAST)
    return { start, length: within(length, LEAST, 1 - start) }
  }
  if (anchor === 'end') {
    const end = within(point, LEAST, 1)
    const kept = within(length, LEAST, end)
    return { start: end - kept, length: kept }
  }
  const middle = within(point, LEAST / 2, 1 - LEAST / 2)
  const kept = within(length, LEAST, 2 * Math.min(middle, 1 - middle))
  return { start: middle - kept / 2, length: kept }
}

const pointOf = (anchor: Anchor, { start, length }: Span) =>
  anchor === 'start' ? start : anchor === 'end' ? start + length : start + length / 2

/** How far ink may go without leaving the panel. */
const allowed = (delta: number, ink: Span) => {
  const least = Math.min(0, -ink.start)
  return Math.min(Math.max(delta, least), Math.max(0, 1 - ink.start - ink.length))
}

const spans = ({ area }: Block) => ({
  x: { start: area.left, length: area.width },
  y: { start: area.top, length: area.height },
})

const placed = (block: Block, x: Span, y: Span, change: Partial<Block> = {}, ...held: Property[]) =>
  fixed(
    block,
    { ...change, area: { left: x.start, top: y.start, width: x.length, height: y.length } },
    'place',
    ...held,
  )

/**
 * The block elsewhere, moved by shares of the panel. Its ink stays on the panel; the area gives way where it would not.
 */
export function moved(block: Block, ink: InkBox, across: number, down: number): Block {
  const { x, y } = spans(block)
  const anchor = anchors(block)
  const dx = allowed(across, { start: ink.left, length: ink.width })
  const dy = allowed(down, { start: ink.top, length: ink.height })
  return placed(
    block,
    dx === 0 ? x : at(anchor.across, pointOf(anchor.across, x) + dx, x.length),
    dy === 0 ? y : at(anchor.down, pointOf(anchor.down, y) + dy, y.length),
  )
}

/** A move that ends in the middle of the panel when it would end close to it. */
export function snapped(ink: InkBox, across: number, down: number) {
  const toMiddle = 0.5 - (ink.left + ink.width / 2)
  const toCenter = 0.5 - (ink.top + ink.height / 2)
  return {
    across: Math.abs(across - toMiddle) < NEAR ? toMiddle : across,
    down: Math.abs(down - toCenter) < NEAR ? toCenter : down,
  }
}

export const NINTHS = [0, 1, 2] as const
export type Ninth = (typeof NINTHS)[number]

/** The block in one of nine places: column and row of the panel, `ratio` its width to its height. */
export function atNinth(block: Block, ink: InkBox, column: Ninth, row: Ninth, ratio: number): Block {
  const mx = MARGIN * Math.min(1, 1 / ratio)
  const my = MARGIN * Math.min(1, ratio)
  if (block.turn) {
    const left = [mx, (1 - ink.width) / 2, 1 - mx - ink.width][column] ?? 0
    const top = [my, (1 - ink.height) / 2, 1 - my - ink.height][row] ?? 0
    return moved(block, ink, left - ink.left, top - ink.top)
  }
  const anchor = (['start', 'middle', 'end'] as const)[column] ?? 'middle'
  const beside = (['start', 'middle', 'end'] as const)[row] ?? 'middle'
  const { x, y } = spans(block)
  return placed(
    block,
    at(anchor, [mx, 0.5, 1 - mx][column] ?? 0.5, Math.min(x.length, 1 - 2 * mx)),
    at(beside, [my, 0.5, 1 - my][row] ?? 0.5, Math.min(y.length, 1 - 2 * my)),
    {
      align: (['left', 'center', 'right'] as const)[column],
      valign: (['top', 'middle', 'bottom'] as const)[row],
    },
    'align',
  )
}

/** The ninth in which the middle of the ink is. */
export const ninthOf = (ink: InkBox): { column: number; row: number } => ({
  column: within(Math.floor((ink.left + ink.width / 2) * 3), 0, 2),
  row: within(Math.floor((ink.top + ink.height / 2) * 3), 0, 2),
})

/** The block with another width of its area, a share of the panel: lines break anew. */
export function widened(block: Block, width: number): Block {
  const { x, y } = spans(block)
  const { across } = anchors(block)
  return placed(block, at(across, pointOf(across, x), width), y)
}

/** The block in another size of type, a share of the panel's width; its area grows with it where it has to. */
export function sized(block: Block, ink: InkBox, size: number): Block {
  if (size <= ink.size || ink.size === 0) return fixed(block, { maxSize: size }, 'size')
  const { x, y } = spans(block)
  const { across, down } = anchors(block)
  const growth = size / ink.size
  // only as much as the ink needs: an area with room to spare stays
  const wide = Math.max(x.length, ink.width * growth * 1.02)
  const high = Math.max(y.length, ink.height * growth * 1.02)
  if (wide === x.length && high === y.length) return fixed(block, { maxSize: size }, 'size')
  return placed(
    block,
    at(across, pointOf(across, x), wide),
    at(down, pointOf(down, y), high),
    { maxSize: size },
    'size',
  )
}
