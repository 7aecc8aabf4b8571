import { forgotPassword } from '@/api/generated'
import { RequestLink } from './components/request-link'

/** Asks for a link to a new password. */
export function ForgotPassword() {
  return (
    <RequestLink texts="auth.forgot" request={(email) => forgotPassword({ body: { email }, throwOnError: true })} />
  )
}
