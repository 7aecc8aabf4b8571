import { createFileRoute } from '@tanstack/react-router'
import { BulkPage } from '@/features/admin/mail/bulk-page'

export const Route = createFileRoute('/_site/admin/email-broadcast')({
  staticData: { title: 'admin.emailBroadcast.title' },
  component: () => <BulkPage kind="broadcast" />,
})
