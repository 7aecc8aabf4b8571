import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/ui/states'
import { LoadMore } from '../records/load-more'
import { RowSkeletons, Unread } from '../unread'
import { CampaignCard } from './campaign-card'
import { campaignsQuery } from './queries'

/** What was sent to many, and how far it has come. */
export function Campaigns() {
  const { t } = useTranslation()
  const title = useId()
  const pages = useInfiniteQuery(campaignsQuery())
  const campaigns = pages.data?.pages.flatMap(({ rows }) => rows)
  return (
    <section aria-labelledby={title} className="mt-12">
      <h2 id={title} className="display mb-4 text-2xl">
        {t('admin.bulk.campaigns')}
      </h2>
      {pages.isPending ? (
        <RowSkeletons />
      ) : !campaigns ? (
        <Unread query={pages} />
      ) : campaigns.length === 0 ? (
        <EmptyState title={t('admin.bulk.empty.title')} body={t('admin.bulk.empty.body')} />
      ) : (
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
      )}
    </section>
  )
}
