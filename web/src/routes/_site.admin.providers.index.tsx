import { createFileRoute } from '@tanstack/react-router'
import { ProvidersPage } from '@/features/admin/overview/providers-page'

export const Route = createFileRoute('/_site/admin/providers/')({
  staticData: { title: 'admin.providers.title' },
  component: ProvidersPage,
})
