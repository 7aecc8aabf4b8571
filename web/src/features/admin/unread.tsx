import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import { sentenceOf } from '@/api/sentence'
import { Button } from '@/ui/button'
import { ErrorState, Skeleton, Spinner } from '@/ui/states'

type Asked = { error: unknown; isFetching: boolean; refetch: () => unknown }

/** What could not be read, with a way to ask again. */
export function Unread({ query }: { query: Asked }) {
  const { t } = useTranslation()
  // whoever was signed out is on the way to signing in
  if (isUnauthorized(query.error)) return <Spinner className="min-h-40" />
  return (
    <ErrorState
      title={t('admin.unread')}
      body={sentenceOf(query.error)}
      detail={query.error instanceof Error ? query.error.message : undefined}
      action={
        <Button variant="outline" pending={query.isFetching} onClick={() => void query.refetch()}>
          {t('errors.retry')}
        </Button>
      }
    />
  )
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
