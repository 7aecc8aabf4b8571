import type { Sheet, TradeBinding, TradePrinter } from '@/api/generated'
import type { Settings } from './draft'

export const MM_PER_INCH = 25.4
/** The most pages where only the printer knows its limits. */
const MOST_PAGES = 1_200
const FEWEST_PAGES = 24

/** What a printer asks of one binding; undefined for what is not printed. */
export const bindingOf = (
  printers: readonly TradePrinter[],
  printer: string,
  binding: string,
): TradeBinding | undefined => printers.find(({ id }) => id === printer)?.bindings.find(({ id }) => id === binding)

const even = (pages: number) => pages + (pages % 2)

/**
 * The sheet for another number of pages: each page adds what its paper measures, and nothing else changes. The server
 * says the same; until it has, the spine moves with the slider.
 */
export function sheetAt(sheet: Sheet, pages: number, binding: TradeBinding, settings: Settings): Sheet {
  const caliper = binding.papers.find(({ id }) => id === settings.paper)?.caliper
  if (settings.spine !== null || !caliper) return sheet
  const more = (even(pages) - sheet.pages) * caliper
  return more === 0
    ? sheet
    : {
        ...sheet,
        pages: even(pages),
        spine: sheet.spine + more,
        width: sheet.width + more,
        spineMm: (sheet.spine + more) * MM_PER_INCH,
      }
}

/** The fewest and the most pages of a paper. */
export function pageRange(binding: TradeBinding | undefined, paper: string): [number, number] {
  const found = binding?.papers.find(({ id }) => id === paper)
  return [found?.leastPages ?? FEWEST_PAGES, found?.mostPages ?? MOST_PAGES]
}

export type Box = { x: number; y: number; width: number; height: number }

/** What of a sheet is looked at. */
export const PARTS = ['whole', 'front', 'spine', 'back'] as const
export type Part = (typeof PARTS)[number]

/** The parts of a sheet seen from outside, in inches. */
export function panelsOf(sheet: Sheet, rightToLeft: boolean): { back: Box; spine: Box; front: Box; cut: Box } {
  const { bleed, width, height, spine } = sheet
  const inside = height - 2 * bleed
  const panel = (width - spine) / 2 - bleed
  const left = { x: bleed, y: bleed, width: panel, height: inside }
  const right = { ...left, x: bleed + panel + spine }
  return {
    back: rightToLeft ? right : left,
    front: rightToLeft ? left : right,
    spine: { x: bleed + panel, y: bleed, width: spine, height: inside },
    cut: { x: bleed, y: bleed, width: width - 2 * bleed, height: inside },
  }
}

/** A part of a sheet from fold to fold: as it is cut, or with the bleed around it. */
export function partOf(sheet: Sheet, rightToLeft: boolean, part: Part, withBleed: boolean): Box {
  const { bleed, width, height } = sheet
  if (part === 'whole') return { x: 0, y: 0, width, height }
  const box = panelsOf(sheet, rightToLeft)[part]
  if (!withBleed) return box
  const outer = part === 'spine' ? 0 : bleed
  const x = box.x === bleed ? 0 : box.x
  return { x, y: 0, width: box.width + outer, height }
}
