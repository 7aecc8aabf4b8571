import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/ui/states'
import { AdminPage } from '../layout/admin-page'
import { internalLink, pageDescription, useNavGroups } from '../layout/navigation'
import { CustomerBackfill } from '../payments/customer-backfill'
import { overviewQuery } from '../payments/queries'
import { Notices } from '../providers/components/notices'
import { DashboardStats } from './dashboard-stats'
import type { FigureRange } from './figures/queries'

// on their own: only here are plots drawn, and drawing them takes a lot of code
const Figures = lazy(() => import('./figures/figures'))

type Props = { range: FigureRange; onRange: (range: FigureRange) => void }

/** How the site is doing at a glance and day by day, and the way to every page. */
export function DashboardPage(props: Props) {
  const { t } = useTranslation()
  const provider = useQuery(overviewQuery()).data?.provider
  return (
    <AdminPage title={t('admin.dashboard.title')} lead={t('admin.dashboard.lead')}>
      <Notices />
      <DashboardStats />
      <Suspense fallback={<Skeleton className="mt-10 h-96 rounded-lg" />}>
        <Figures {...props} />
      </Suspense>
      {provider && <Customers provider={provider} />}
      <PageCards />
    </AdminPage>
  )
}

function Customers({ provider }: { provider: string }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="mt-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4 rounded-lg bg-surface p-5 shadow-1"
    >
      <div className="min-w-0 max-w-text">
        <h2 id={id} className="font-medium">
          {t('admin.payment.backfill.title')}
        </h2>
        <p className="mt-1 text-sm leading-relaxed text-ink-2">{t('admin.payment.backfill.lead')}</p>
      </div>
      <CustomerBackfill provider={provider} />
    </section>
  )
}

/** A card for every page, by group. */
function PageCards() {
  const { t } = useTranslation()
  return useNavGroups().map(({ title, pages }) => (
    <section key={title} className="mt-10">
      <h2 className="mb-3 text-sm font-medium text-ink-2">{t(title)}</h2>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {pages
          .filter(({ to }) => to !== '/admin')
          .map((page) => (
            <li key={page.to}>
              <Link
                to={internalLink(page)}
                className="flex h-full gap-3.5 rounded-lg bg-surface p-4 shadow-1 transition-shadow hover:shadow-2"
              >
                <span className="grid size-9 shrink-0 place-items-center rounded-md bg-sunken text-ink-2">
                  <page.icon aria-hidden className="size-4.5" />
                </span>
                <span className="min-w-0">
                  <span className="block text-body font-medium">{t(page.title)}</span>
                  <span className="mt-0.5 block text-note leading-relaxed text-ink-2">{t(pageDescription(page))}</span>
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  ))
}
