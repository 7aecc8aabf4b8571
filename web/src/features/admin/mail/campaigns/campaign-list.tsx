import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/ui/states'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { LoadMore } from '../../operations/load-more'
import { campaignsQuery } from '../queries'
import { CampaignCard } from './campaign-card'

/** What was sent to many, and how far it has come. */
export function CampaignList() {
  const { t } = useTranslation()
  const title = useId()
  return (
    <section aria-labelledby={title} className="mt-12">
      <h2 id={title} className="display mb-4 text-2xl">
        {t('admin.bulk.campaigns')}
      </h2>
      <AdminQueryBoundary>
        <Campaigns />
      </AdminQueryBoundary>
    </section>
  )
}

function Campaigns() {
  const { t } = useTranslation()
  const pages = useSuspenseInfiniteQuery(campaignsQuery())
  const campaigns = pages.data.pages.flatMap(({ rows }) => rows)
  if (campaigns.length === 0) {
    return <EmptyState title={t('admin.bulk.empty.title')} body={t('admin.bulk.empty.body')} />
  }
  return (
    <>
      <ul className="space-y-4">
        {campaigns.map((campaign) => (
          <li key={campaign.id}>
            <CampaignCard campaign={campaign} />
          </li>
        ))}
      </ul>
      <LoadMore pages={pages} />
    </>
  )
}
