import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryBoundary } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'

/** A failed query on an administrators' page, with a button that retries. */
export function AdminQueryError({ query }: Pick<ComponentProps<typeof QueryError>, 'query'>) {
  const { t } = useTranslation()
  return <QueryError title={t('admin.loadFailed')} query={query} />
}

type BoundaryProps = Pick<ComponentProps<typeof QueryBoundary>, 'resetKey' | 'children'> & {
  /** Holds the place of the children while their data load; that of a table by default. */
  skeleton?: ReactNode
  /** Surrounds the skeleton and the error where the children bring a page of their own. */
  frame?: (content: ReactNode) => ReactNode
}

/** An administrators' page, or a part of one, that reads with `useSuspenseQuery`. */
export function AdminQueryBoundary({
  skeleton = <RowSkeletons />,
  frame = (content) => content,
  ...props
}: BoundaryProps) {
  return (
    <QueryBoundary skeleton={frame(skeleton)} error={(query) => frame(<AdminQueryError query={query} />)} {...props} />
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
