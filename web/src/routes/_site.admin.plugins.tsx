import { createFileRoute } from '@tanstack/react-router'
import { PluginsPage } from '@/features/admin/records/plugins-page'

export const Route = createFileRoute('/_site/admin/plugins')({
  staticData: { title: 'admin.plugins.title' },
  component: PluginsPage,
})
