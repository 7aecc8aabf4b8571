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
