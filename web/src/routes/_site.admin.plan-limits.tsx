import { createFileRoute } from '@tanstack/react-router'
import { LimitsPage } from '@/features/admin/limits/limits-page'

export const Route = createFileRoute('/_site/admin/plan-limits')({
  staticData: { title: 'admin.limits.title' },
  component: LimitsPage,
})
