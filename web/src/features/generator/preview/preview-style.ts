import type { WordsIn } from '@/api/generated'
import type { Inches } from '../model/formats'

/** What a book looks like that is not made yet. */
export type PreviewStyle = {
  words: WordsIn
  genre: string
  trim: Inches
  /** Id of its theme, if it has one. */
  themeId: number | null
  /** Id of the style that the reader chose for the words; blank for the press's own choice. */
  style: string
}

/** Whether there are words to be set. */
export const hasWords = ({ words }: PreviewStyle) => Object.values(words).some((text) => text?.trim())
