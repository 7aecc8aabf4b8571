import { createFileRoute } from '@tanstack/react-router'
import { LimitsPage } from '@/features/admin/limits/limits-page'
import { limitsQuery } from '@/features/admin/limits/queries'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/plan-limits')({
  staticData: { title: 'admin.limits.title' },
  loader: (loading) => warmPage(loading, (client) => [client.ensureQueryData(limitsQuery())]),
  component: LimitsPage,
})
