import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type JobKindOut, type JobOut, listJobs } from '@/api/generated'
import {
  getJobOverviewOptions,
  getJobOverviewQueryKey,
  listJobsQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { pagedQuery } from '../api/queries'

/** What moves by itself is asked for again so often, in milliseconds. */
const LIVE = 3_000

export type JobKind = JobKindOut['kind']
export type JobState = JobOut['state']

export const STATES = ['waiting', 'running', 'completed', 'failed', 'canceled'] as const satisfies readonly JobState[]

export type JobFilter = { kind?: JobKind; state?: JobState; owner?: string }

export const jobOverviewQuery = () => queryOptions({ ...getJobOverviewOptions(), refetchInterval: LIVE })

export const jobsQuery = (filter: JobFilter) => ({
  ...pagedQuery(listJobsQueryKey({ query: filter }), ({ signal, query }) =>
    listJobs({ query: { ...filter, ...query }, signal, throwOnError: true }),
  ),
  refetchInterval: LIVE,
})

/** Asks again for everything that an action may have changed. */
export async function invalidateJobs(queryClient: QueryClient): Promise<void> {
  const changed = [getJobOverviewQueryKey(), listJobsQueryKey()]
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
