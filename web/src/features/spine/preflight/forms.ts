/** What a file can be: the cover of a printed book, or a picture for shops. */
export const FORMS = ['printed', 'ebook', 'audiobook', 'social'] as const
export type PreflightForm = (typeof FORMS)[number]
