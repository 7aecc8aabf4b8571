import * as v from 'valibot'

export const EMAIL_KINDS = ['signup', 'broadcast', 'marketing'] as const
export type EmailKind = (typeof EMAIL_KINDS)[number]
/** What goes to many at once. */
export type CampaignKind = Exclude<EmailKind, 'signup'>

const MAX_SUBJECT = 200

// messages are translation keys, resolved where they are shown; what an address for answers may be, the server knows
export const emailSchema = v.object({
  subject: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('admin.form.invalid.required'),
    v.maxLength(MAX_SUBJECT, 'admin.email.invalid.subject'),
  ),
  replyTo: v.pipe(v.string(), v.trim()),
  htmlBody: v.pipe(
    v.string(),
    v.check((typed) => typed.trim() !== '', 'admin.form.invalid.required'),
  ),
})
export type EmailContent = v.InferOutput<typeof emailSchema>
export const EMAIL_FIELDS = ['subject', 'replyTo', 'htmlBody'] as const

export const emailContentOf = ({ subject, replyTo, htmlBody }: EmailContent): EmailContent => ({
  subject,
  replyTo,
  htmlBody,
})
export const emptyEmail: EmailContent = { subject: '', replyTo: '', htmlBody: '' }
