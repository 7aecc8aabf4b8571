import { createFileRoute, useLocation } from '@tanstack/react-router'
import { Setup } from '@/features/sign-in/setup'

export const Route = createFileRoute('/_site/setup')({ staticData: { title: 'setup.page' }, component: Page })

// the token is in the fragment, which browsers send to no server and write into no log
function Page() {
  const { hash } = useLocation()
  return <Setup token={new URLSearchParams(hash).get('token')} />
}
