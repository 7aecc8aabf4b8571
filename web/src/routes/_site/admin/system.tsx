import { createFileRoute } from '@tanstack/react-router'
import { SystemPage, systemQuery } from '@/features/admin/system/system-page'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/system')({
  staticData: { title: 'admin.system.title' },
  loader: (loading) => warmPage(loading, (client) => [client.ensureQueryData(systemQuery())]),
  component: SystemPage,
})
