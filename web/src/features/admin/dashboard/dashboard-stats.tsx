import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Skeleton } from '@/ui/states'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { statsQuery } from '../payments/queries'
import type { UserFilter } from '../users/user-filter'

/** The four figures of the dashboard; of two of them also which part of all users that is. */
export function DashboardStats() {
  return (
    <AdminQueryBoundary skeleton={<Skeleton className="h-28 rounded-lg" />}>
      <Figures />
    </AdminQueryBoundary>
  )
}

function Figures() {
  const { t } = useTranslation()
  const format = useFormat()
  const { users, pro, administrators, paymentCustomers } = useSuspenseQuery(statsQuery()).data
  const share = (part: number) =>
    t('admin.dashboard.figures.share', { share: format.percent(users === 0 ? 0 : part / users) })
  return (
    <dl
      aria-label={t('admin.dashboard.figures.label')}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg bg-line shadow-1 lg:grid-cols-4"
    >
      <Figure name={t('admin.dashboard.figures.users')} value={format.number(users)} of={{}} />
      <Figure
        name={t('admin.dashboard.figures.pro')}
        value={format.number(pro)}
        note={share(pro)}
        of={{ role: 'pro' }}
      />
      <Figure
        name={t('admin.dashboard.figures.administrators')}
        value={format.number(administrators)}
        of={{ role: 'admin' }}
      />
      <Figure
        name={t('admin.dashboard.figures.customers')}
        value={format.number(paymentCustomers)}
        note={share(paymentCustomers)}
        of={{ role: 'customer' }}
      />
    </dl>
  )
}

/** `of` is whom the number counts. */
type FigureProps = { name: string; value: string; note?: string; of: UserFilter }

function Figure({ name, value, note, of }: FigureProps) {
  return (
    <div className="min-w-0 bg-surface p-4 sm:px-5">
      <dt className="text-note text-ink-2">{name}</dt>
      <dd className="mt-1">
        <Link
          to="/admin/users"
          search={of}
          aria-label={`${name}: ${value}`}
          className="display block w-fit text-3xl tabular-nums hover:text-accent hover:underline"
        >
          {value}
        </Link>
        {note && <span className="mt-0.5 block text-xs text-ink-2 tabular-nums">{note}</span>}
      </dd>
    </div>
  )
}
