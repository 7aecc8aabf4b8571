import { createFileRoute, useLocation } from '@tanstack/react-router'
import { EmailLink } from '@/features/sign-in/email-link'

export const Route = createFileRoute('/_site/email-link')({
  staticData: { title: 'auth.emailLink.page' },
  component: Page,
})

// the token is in the fragment, which browsers send to no server and write into no log
function Page() {
  const { hash } = useLocation()
  return <EmailLink token={new URLSearchParams(hash).get('token')} />
}
