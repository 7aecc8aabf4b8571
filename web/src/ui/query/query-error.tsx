import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { Button } from '../button'
import { ErrorState, Spinner } from '../states'

/** What is known of a query that has failed. */
export type FailedQuery = { error: unknown; isFetching: boolean; refetch: () => unknown }
type Props = { title: string; query: FailedQuery; className?: string }

/** A failed query: what could not be loaded, why, and a button that retries. */
export function QueryError({ title, query: { error, isFetching, refetch }, className }: Props) {
  const { t } = useTranslation()
  // a user whose session ended is being redirected to sign-in
  if (isUnauthorized(error)) return <Spinner className="min-h-40" />
  return (
    <ErrorState
      title={title}
      body={errorMessage(error)}
      detail={error instanceof Error ? error.message : undefined}
      className={className}
      action={
        <Button variant="outline" pending={isFetching} onClick={() => void refetch()}>
          {t('errors.retry')}
        </Button>
      }
    />
  )
}
