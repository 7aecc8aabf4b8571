import { createFileRoute } from '@tanstack/react-router'
import { BrandingPage } from '@/features/admin/branding/branding-page'

export const Route = createFileRoute('/_site/admin/branding')({
  staticData: { title: 'admin.branding.title' },
  component: BrandingPage,
})
