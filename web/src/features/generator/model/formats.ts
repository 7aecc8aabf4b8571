import type { GenerateCoverIn } from '@/api/generated'

/** Pixels per inch of every print format. */
export const DPI = 300

/** What print-on-demand services take as a trim size of one's own, in inches. */
export const CUSTOM_WIDTH = { min: 4, max: 8.5 } as const
export const CUSTOM_HEIGHT = { min: 6, max: 11.69 } as const

export type Dimensions = NonNullable<GenerateCoverIn['dimensions']>

/** What the generator offers. */
export const dimensions = ['6x9', '8.5x11', '8x8', 'custom'] as const satisfies readonly Dimensions[]

export type Inches = { width: number; height: number }

const fixed: Record<Exclude<Dimensions, 'custom'>, Inches> = {
  '6x9': { width: 6, height: 9 },
  '5.5x8.5': { width: 5.5, height: 8.5 },
  '8.5x11': { width: 8.5, height: 11 },
  '8x8': { width: 8, height: 8 },
  '1024x1792': { width: 1024 / DPI, height: 1792 / DPI },
}

export const isDimensions = (text: unknown): text is Dimensions =>
  text === 'custom' || Object.hasOwn(fixed, String(text))

/** Inches as typed; a decimal comma is as good as a point. NaN for anything but a number. */
export const parseInches = (text: string) => (text.trim() ? Number(text.trim().replace(',', '.')) : Number.NaN)

const within = (value: number, { min, max }: { min: number; max: number }) => value >= min && value <= max

export const isCustomWidth = (text: string) => within(parseInches(text), CUSTOM_WIDTH)
export const isCustomHeight = (text: string) => within(parseInches(text), CUSTOM_HEIGHT)

/** The trim size of a choice; a custom one that is not complete yet looks like the standard paperback. */
export function trimSize(choice: Dimensions, customWidth: string, customHeight: string): Inches {
  if (choice !== 'custom') return fixed[choice]
  if (!isCustomWidth(customWidth) || !isCustomHeight(customHeight)) return fixed['6x9']
  return { width: parseInches(customWidth), height: parseInches(customHeight) }
}

export const pixels = ({ width, height }: Inches) => ({
  width: Math.round(width * DPI),
  height: Math.round(height * DPI),
})
