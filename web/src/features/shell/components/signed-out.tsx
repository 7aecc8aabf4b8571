import { useEffect } from 'react'
import { Spinner } from '@/ui/states'
import { redirectToSignIn } from '../redirect-to-sign-in'

/** In the place of a screen that needs a session: says so and goes to sign-in. */
export function SignedOut() {
  useEffect(redirectToSignIn, [])
  return <Spinner className="min-h-page-fill" />
}
