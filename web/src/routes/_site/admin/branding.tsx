import { createFileRoute } from '@tanstack/react-router'
import { getBrandingOptions } from '@/api/generated/@tanstack/react-query.gen'
import { BrandingPage } from '@/features/admin/branding/branding-page'
import { statsQuery } from '@/features/admin/branding/mutations'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/branding')({
  staticData: { title: 'admin.branding.title' },
  loader: (loading) =>
    warmPage(loading, (client) => [client.ensureQueryData(getBrandingOptions()), client.ensureQueryData(statsQuery())]),
  component: BrandingPage,
})
