import * as v from 'valibot'
import { email, knownPassword, name, newPassword } from '@/lib/credentials'

export const knownCredentials = v.object({
  email,
  password: knownPassword,
  firstName: v.string(),
  lastName: v.string(),
})
export const newCredentials = v.object({ email, password: newPassword })
export const newAccount = v.object({ email, password: newPassword, firstName: name, lastName: name })
