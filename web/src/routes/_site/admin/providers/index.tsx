import { createFileRoute } from '@tanstack/react-router'
import { failoverOrdersQuery, healthQuery, instancesQuery, noticesQuery } from '@/features/admin/api/queries'
import { ProvidersPage } from '@/features/admin/providers/providers-page'
import { warmPage } from '../-warm-page'

export const Route = createFileRoute('/_site/admin/providers/')({
  staticData: { title: 'admin.providers.title' },
  loader: (loading) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(failoverOrdersQuery()),
      client.ensureQueryData(instancesQuery()),
      client.ensureQueryData(healthQuery()),
      client.ensureQueryData(noticesQuery()),
    ]),
  component: ProvidersPage,
})
