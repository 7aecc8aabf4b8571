import * as v from 'valibot'
import type { SlideOut } from '@/api/generated'
import { i18n } from '@/i18n'
import { formatters } from '@/i18n/format'
import type { Genre } from '@/lib/sample-covers'

/** The server's limits, in characters. */
export const MAX_LENGTH = { title: 100, genre: 50, description: 500 }
/** The largest number that says where a cover stands. */
const LAST = 1_000_000

/** The usual genres as they are kept: visitors read them in their own language. */
export const GENRE_NAMES: Record<Genre, string> = {
  fantasy: 'Fantasy',
  scifi: 'Sci-Fi',
  adventure: 'Adventure',
  romance: 'Romance',
  thriller: 'Thriller',
  mystery: 'Mystery',
}

/** A cover as it stands in the form. */
export type SlideDraft = { title: string; genre: string; description: string; displayOrder: string; isActive: boolean }

export const draftOf = (slide: SlideOut | undefined): SlideDraft => ({
  title: slide?.title ?? '',
  genre: slide?.genre ?? '',
  description: slide?.description ?? '',
  displayOrder: String(slide?.displayOrder ?? 0),
  isActive: slide?.isActive ?? true,
})

const number = (value: number) => formatters(i18n.language).decimal(value)

/** The rules of the form, in the reader's language. */
export const slideSchema = v.object({
  title: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => i18n.t('errors.field.no_title')),
  ),
  genre: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => i18n.t('errors.field.no_genre')),
  ),
  // one paragraph: it is read out in one go
  description: v.pipe(
    v.string(),
    v.transform((text) => text.replace(/\s+/g, ' ').trim()),
  ),
  displayOrder: v.pipe(
    v.string(),
    v.transform(Number),
    v.integer(() => i18n.t('admin.form.invalid.integer')),
    v.minValue(0, () => i18n.t('errors.field.too_small', { least: number(0) })),
    v.maxValue(LAST, () => i18n.t('errors.field.too_big', { most: number(LAST) })),
  ),
  isActive: v.boolean(),
})
