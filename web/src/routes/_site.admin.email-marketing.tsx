import { createFileRoute } from '@tanstack/react-router'
import { BulkPage } from '@/features/admin/mail/bulk-page'

export const Route = createFileRoute('/_site/admin/email-marketing')({
  staticData: { title: 'admin.emailMarketing.title' },
  component: () => <BulkPage kind="marketing" />,
})
