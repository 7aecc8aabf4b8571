import { createFileRoute } from '@tanstack/react-router'
import { pluginsQuery } from '@/features/admin/api/queries'
import { PluginsPage } from '@/features/admin/operations/plugins-page'
import { warmPage } from '../-warm-page'

export const Route = createFileRoute('/_site/admin/plugins/')({
  staticData: { title: 'admin.plugins.title' },
  loader: (loading) => warmPage(loading, (client) => [client.ensureQueryData(pluginsQuery())]),
  component: PluginsPage,
})
