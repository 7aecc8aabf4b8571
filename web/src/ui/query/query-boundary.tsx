import { useQueryClient } from '@tanstack/react-query'
import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import type { FailedQuery } from './query-error'

type Props = {
  /** Holds the place of the children while their data load. */
  skeleton: ReactNode
  /** Stands in the place of the children when their data could not be loaded. */
  error: (query: FailedQuery) => ReactNode
  /** When it changes, an error is forgotten: other data are shown. A `key` does so, too, and starts the children anew. */
  resetKey?: string
  children: ReactNode
}

/** A part of a page that reads with `useSuspenseQuery`: shows a skeleton, then the data or why they are not there. */
export function QueryBoundary({ skeleton, error: render, resetKey = '', children }: Props) {
  return (
    <CatchBoundary
      getResetKey={() => resetKey}
      errorComponent={({ error, reset }) => (
        <FailedQueries error={error} reset={reset}>
          {render}
        </FailedQueries>
      )}
    >
      <Suspense fallback={skeleton}>{children}</Suspense>
    </CatchBoundary>
  )
}

type FailedProps = { error: unknown; reset: () => void; children: (query: FailedQuery) => ReactNode }

/** Retries what has failed; the error stays on screen until the retry has ended. */
export function FailedQueries({ error, reset, children: render }: FailedProps) {
  const queryClient = useQueryClient()
  const [isFetching, setFetching] = useState(false)
  async function refetch() {
    setFetching(true)
    await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
    reset()
  }
  return render({ error, isFetching, refetch })
}
