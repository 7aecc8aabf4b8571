import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({ extend: { classGroups: { shadow: [{ shadow: ['1', '2', 'cover'] }] } } })

/** Joins class names; a later utility replaces an earlier one of its kind. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs))
}
