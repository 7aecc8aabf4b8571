import * as v from 'valibot'
import { i18n } from '@/i18n'

/** What the server takes at most, in characters. */
export const MOST_LETTERS = 80

export const CATEGORIES = ['primary', 'secondary', 'long-tail'] as const
export const PLACEMENTS = ['meta', 'content', 'both'] as const
export const DEGREES = ['1', '2', '3', '4', '5'] as const

/** A new keyword as it stands in the form; density and priority are whole numbers that a picker gives as text. */
export type KeywordDraft = {
  keyword: string
  category: (typeof CATEGORIES)[number]
  density: (typeof DEGREES)[number]
  priority: (typeof DEGREES)[number]
  placement: (typeof PLACEMENTS)[number]
}

export const emptyKeyword: KeywordDraft = {
  keyword: '',
  category: 'primary',
  density: '1',
  priority: '1',
  placement: 'both',
}

/** The rules of the form, in the reader's language. */
export const keywordSchema = () =>
  v.object({
    keyword: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(() => i18n.t('errors.field.no_keyword')),
      v.check(
        (text) => [...text].length <= MOST_LETTERS,
        () => i18n.t('errors.field.too_long', { count: MOST_LETTERS, formatted: String(MOST_LETTERS) }),
      ),
    ),
    category: v.picklist(CATEGORIES),
    density: v.picklist(DEGREES),
    priority: v.picklist(DEGREES),
    placement: v.picklist(PLACEMENTS),
  })
