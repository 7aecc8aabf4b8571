import { useEffect } from 'react'
import { Spinner } from '@/ui/states'
import { sendToSignIn } from './unauthorized'

/** In the place of a screen that needs a session: says so and goes to sign-in. */
export function SignedOut() {
  useEffect(sendToSignIn, [])
  return <Spinner className="min-h-[60dvh]" />
}
