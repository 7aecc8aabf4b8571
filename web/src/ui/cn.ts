import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// the tokens of styles/app.css that utilities are named after
const merge = extendTailwindMerge({
  extend: {
    theme: {
      text: [
        'tiny',
        'note',
        'body',
        'lead',
        'panel-subtitle',
        'panel-title',
        'subsection-title',
        'section-title',
        'page-title',
        'hero-title',
        'book-title',
        'book-author',
        'typeset-author',
      ],
      container: ['page', 'lead', 'text'],
      spacing: ['page-fill', 'header', 'below-header'],
    },
    classGroups: { shadow: [{ shadow: ['1', '2', 'cover'] }] },
  },
})

/** Joins class names; a later utility replaces an earlier one of its kind. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs))
}
