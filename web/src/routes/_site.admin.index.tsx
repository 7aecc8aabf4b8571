import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage } from '@/features/admin/dashboard/dashboard-page'

export const Route = createFileRoute('/_site/admin/')({
  staticData: { title: 'admin.dashboard.title' },
  component: DashboardPage,
})
