import { createFileRoute, useLocation } from '@tanstack/react-router'
import { ConfirmEmail } from '@/features/sign-in/confirm-email'

export const Route = createFileRoute('/_site/confirm-email')({
  staticData: { title: 'auth.confirm.page' },
  component: Page,
})

// the token is in the fragment, which browsers send to no server and write into no log
function Page() {
  const { hash } = useLocation()
  return <ConfirmEmail token={new URLSearchParams(hash).get('token')} />
}
