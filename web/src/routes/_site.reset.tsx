import { createFileRoute, useLocation } from '@tanstack/react-router'
import { Reset } from '@/features/sign-in/reset'

export const Route = createFileRoute('/_site/reset')({ staticData: { title: 'auth.reset.page' }, component: Page })

// the token is in the fragment, which browsers send to no server and write into no log
function Page() {
  const { hash } = useLocation()
  return <Reset token={new URLSearchParams(hash).get('token')} />
}
