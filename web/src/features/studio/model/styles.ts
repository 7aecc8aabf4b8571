import type { LetteringStyle } from '@/api/generated'

/** The shelves that styles are made for. */
export const FAMILIES = [
  'fantasy',
  'scifi',
  'romance',
  'thriller',
  'mystery',
  'horror',
  'literary',
  'children',
  'nonfiction',
  'historical',
  'adventure',
  'poetry',
  'cookbook',
  'western',
  'ya',
] as const
export type Family = (typeof FAMILIES)[number]

export const familyOf = ({ genres }: LetteringStyle): Family | undefined => FAMILIES.find((one) => one === genres[0])

/** The number of each style in its family, the same for every cover: styles are counted by their ids. */
export function numbered(styles: readonly LetteringStyle[]): Record<string, number> {
  const counts = new Map<string, number>()
  return Object.fromEntries(
    [...styles]
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map((style) => {
        const family = familyOf(style) ?? ''
        const number = (counts.get(family) ?? 0) + 1
        counts.set(family, number)
        return [style.id, number]
      }),
  )
}
