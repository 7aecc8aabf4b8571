import { createFileRoute } from '@tanstack/react-router'
import { Forgot } from '@/features/sign-in/forgot'

export const Route = createFileRoute('/_site/forgot')({ staticData: { title: 'auth.forgot.page' }, component: Forgot })
