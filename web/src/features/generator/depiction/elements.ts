import type { ElementIn, ElementOut } from '@/api/generated'

/** `count` of things too many to be counted. */
export const MANY = 0

/** Things are drawn exactly up to this number. */
export const MOST_COUNTED = 12

/** As many as the server takes. */
export const MOST_ELEMENTS = 16

export type Color = Exclude<ElementOut['color'], ''>

/** Colors by name, and how they look beside the name. */
export const COLORS: Readonly<Record<Color, string>> = {
  red: '#c8322b',
  orange: '#e07b28',
  yellow: '#e9c33a',
  green: '#3f8a4c',
  turquoise: '#2f9aa0',
  blue: '#2f5fa8',
  purple: '#7a4a9c',
  pink: '#df7f9f',
  brown: '#7b5236',
  black: '#1c1c1e',
  white: '#ffffff',
  gray: '#8b8f94',
  gold: '#c79a3b',
  silver: '#b9bec4',
}

export const COLOR_NAMES = Object.keys(COLORS) as Color[]

const isSame = (one: ElementIn, other: ElementIn) => one.kind === other.kind && one.id === other.id

/** A list with one more; what is there already stays as it is, and of times, weathers … there is one each. */
export function added(list: readonly ElementIn[], element: ElementIn): ElementIn[] {
  if (list.some((one) => isSame(one, element))) return [...list]
  const others = element.kind === 'subject' ? list : list.filter(({ kind }) => kind !== element.kind)
  return [...others, element].slice(0, MOST_ELEMENTS)
}

/** A list with another thing in the place of one, which keeps its number and color. */
export function replaced(list: readonly ElementIn[], at: number, element: ElementIn): ElementIn[] {
  const { count = 1, color = '' } = list[at] ?? {}
  const kept = element.kind === 'subject' ? { ...element, count, color } : element
  return list.flatMap((one, place) => (place === at ? [kept] : isSame(one, element) ? [] : [one]))
}

export const without = (list: readonly ElementIn[], at: number) => list.filter((_, place) => place !== at)

export const changed = (list: readonly ElementIn[], at: number, change: Partial<ElementIn>) =>
  list.map((one, place) => (place === at ? { ...one, ...change } : one))
