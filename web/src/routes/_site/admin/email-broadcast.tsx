import { createFileRoute } from '@tanstack/react-router'
import { CampaignPage } from '@/features/admin/mail/campaigns/campaign-page'
import { audienceQuery, campaignsQuery, templateQuery } from '@/features/admin/mail/queries'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/email-broadcast')({
  staticData: { title: 'admin.emailBroadcast.title' },
  loader: (loading) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(templateQuery('broadcast')),
      client.ensureQueryData(audienceQuery()),
      client.ensureInfiniteQueryData(campaignsQuery()),
    ]),
  component: () => <CampaignPage kind="broadcast" />,
})
