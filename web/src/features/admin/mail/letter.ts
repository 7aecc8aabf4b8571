import type { UseFormReturn } from 'react-hook-form'
import * as v from 'valibot'

export const KINDS = ['signup', 'broadcast', 'marketing'] as const
export type Kind = (typeof KINDS)[number]
/** What goes to many at once. */
export type Bulk = Exclude<Kind, 'signup'>

const MAX_SUBJECT = 200

// messages are translation keys, resolved where they are shown; what an address for answers may be, the server knows
export const letter = v.object({
  subject: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('admin.form.invalid.required'),
    v.maxLength(MAX_SUBJECT, 'admin.letter.invalid.subject'),
  ),
  replyTo: v.pipe(v.string(), v.trim()),
  htmlBody: v.pipe(
    v.string(),
    v.check((typed) => typed.trim() !== '', 'admin.form.invalid.required'),
  ),
})
export type Letter = v.InferOutput<typeof letter>
export type LetterForm = UseFormReturn<Letter>
export const LETTER_FIELDS = ['subject', 'replyTo', 'htmlBody'] as const

export const letterOf = ({ subject, replyTo, htmlBody }: Letter): Letter => ({ subject, replyTo, htmlBody })
export const emptyLetter: Letter = { subject: '', replyTo: '', htmlBody: '' }
