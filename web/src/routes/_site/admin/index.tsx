import { createFileRoute } from '@tanstack/react-router'
import { noticesQuery } from '@/features/admin/api/queries'
import { DashboardPage } from '@/features/admin/dashboard/dashboard-page'
import { overviewQuery, statsQuery } from '@/features/admin/payments/queries'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/')({
  staticData: { title: 'admin.dashboard.title' },
  loader: (loading) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(overviewQuery()),
      client.ensureQueryData(statsQuery()),
      client.ensureQueryData(noticesQuery()),
    ]),
  component: DashboardPage,
})
