import * as v from 'valibot'

const EMAIL_LENGTH = 254
const NAME_LENGTH = 100
const PASSWORD_LENGTH = [8, 128] as const

// messages are translation keys, resolved where they are shown
export const emailSchema = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('auth.invalid.emailMissing'),
  v.email('auth.invalid.email'),
  v.maxLength(EMAIL_LENGTH, 'auth.invalid.email'),
)
export const newPasswordSchema = v.pipe(
  v.string(),
  v.nonEmpty('auth.invalid.passwordMissing'),
  v.minLength(PASSWORD_LENGTH[0], 'auth.invalid.passwordShort'),
  v.maxLength(PASSWORD_LENGTH[1], 'auth.invalid.passwordLong'),
)
// an old password may be of any length; spaces are part of it
export const currentPasswordSchema = v.pipe(v.string(), v.nonEmpty('auth.invalid.passwordMissing'))
export const nameSchema = v.pipe(v.string(), v.trim(), v.maxLength(NAME_LENGTH, 'auth.invalid.nameLong'))
