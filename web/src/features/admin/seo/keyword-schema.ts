import * as v from 'valibot'
import { i18n } from '@/i18n'

/** The server's limits, in characters. */
export const MAX_LENGTH = 80

export const CATEGORIES = ['primary', 'secondary', 'long-tail'] as const
export const PLACEMENTS = ['meta', 'content', 'both'] as const
export const RATINGS = ['1', '2', '3', '4', '5'] as const

/** A new keyword as it stands in the form; density and priority are whole numbers that a picker gives as text. */
export type KeywordDraft = {
  keyword: string
  category: (typeof CATEGORIES)[number]
  density: (typeof RATINGS)[number]
  priority: (typeof RATINGS)[number]
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
export const keywordSchema = v.object({
  keyword: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => i18n.t('errors.field.no_keyword')),
    v.check(
      (text) => [...text].length <= MAX_LENGTH,
      () => i18n.t('errors.field.too_long', { count: MAX_LENGTH, formatted: String(MAX_LENGTH) }),
    ),
  ),
  category: v.picklist(CATEGORIES),
  density: v.picklist(RATINGS),
  priority: v.picklist(RATINGS),
  placement: v.picklist(PLACEMENTS),
})
