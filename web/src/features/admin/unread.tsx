import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/ui/states'
import { Unread as Failed } from '@/ui/unread'

/** What an administrator could not read, with a way to ask again. */
export function Unread({ query }: Pick<ComponentProps<typeof Failed>, 'query'>) {
  const { t } = useTranslation()
  return <Failed title={t('admin.unread')} query={query} />
}

const PLACES = ['one', 'two', 'three', 'four', 'five']

/** Holds the place of a table. */
export function RowSkeletons() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')} className="space-y-px overflow-hidden rounded-lg shadow-1">
      {PLACES.map((place) => (
        <Skeleton key={place} className="h-13 rounded-none" />
      ))}
    </div>
  )
}
