import { createFileRoute } from '@tanstack/react-router'
import { CampaignPage } from '@/features/admin/mail/campaigns/campaign-page'
import { audienceQuery, campaignsQuery, templateQuery } from '@/features/admin/mail/queries'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/email-marketing')({
  staticData: { title: 'admin.emailMarketing.title' },
  loader: (loading) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(templateQuery('marketing')),
      client.ensureQueryData(audienceQuery()),
      client.ensureInfiniteQueryData(campaignsQuery()),
    ]),
  component: () => <CampaignPage kind="marketing" />,
})
