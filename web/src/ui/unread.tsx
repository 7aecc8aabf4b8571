import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import { sentenceOf } from '@/api/sentence'
import { Button } from './button'
import { ErrorState, Spinner } from './states'

type Asked = { error: unknown; isFetching: boolean; refetch: () => unknown }
type Props = { title: string; query: Asked; className?: string }

/** What could not be read, why, and a way to ask again. */
export function Unread({ title, query: { error, isFetching, refetch }, className }: Props) {
  const { t } = useTranslation()
  // whoever was signed out is on the way to signing in
  if (isUnauthorized(error)) return <Spinner className="min-h-40" />
  return (
    <ErrorState
      title={title}
      body={sentenceOf(error)}
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
