import { createFileRoute } from '@tanstack/react-router'
import { ForgotPassword } from '@/features/sign-in/forgot-password'

export const Route = createFileRoute('/_site/forgot')({
  staticData: { title: 'auth.forgot.page' },
  component: ForgotPassword,
})
