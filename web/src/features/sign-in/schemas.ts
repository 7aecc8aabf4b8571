import * as v from 'valibot'
import { currentPasswordSchema, emailSchema, nameSchema, newPasswordSchema } from '@/lib/credential-schemas'

export const signInSchema = v.object({
  email: emailSchema,
  password: currentPasswordSchema,
  firstName: v.string(),
  lastName: v.string(),
})
export const setupSchema = v.object({ email: emailSchema, password: newPasswordSchema })
export const registrationSchema = v.object({
  email: emailSchema,
  password: newPasswordSchema,
  firstName: nameSchema,
  lastName: nameSchema,
})
