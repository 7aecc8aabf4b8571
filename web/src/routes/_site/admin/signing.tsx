import { createFileRoute } from '@tanstack/react-router'
import { signingQuery } from '@/features/admin/signing/queries'
import { SigningPage } from '@/features/admin/signing/signing-page'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/signing')({
  staticData: { title: 'admin.signing.title' },
  loader: (loading) => warmPage(loading, (client) => [client.ensureQueryData(signingQuery())]),
  component: SigningPage,
})
