import { createFileRoute, useLocation } from '@tanstack/react-router'
import { ResetPassword } from '@/features/sign-in/reset-password'

export const Route = createFileRoute('/_site/reset')({ staticData: { title: 'auth.reset.page' }, component: Page })

// the token is in the fragment, which browsers send to no server and write into no log
function Page() {
  const { hash } = useLocation()
  const link = new URLSearchParams(hash)
  return <ResetPassword token={link.get('token')} unconfirmed={link.has('unconfirmed')} />
}
