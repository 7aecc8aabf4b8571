import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type GenerationOut, listGenerations } from '../generated'

/** So many of the latest are looked through: nobody has more under way than a few. */
const LATEST = 24

const isRunning = ({ status }: GenerationOut) => status === 'pending' || status === 'processing'

/** The reader's generations that are under way, on whatever page they were begun; the latest first. */
export const runningQuery = () =>
  queryOptions({
    queryKey: ['running'],
    queryFn: async ({ signal }) =>
      (await listGenerations({ query: { limit: LATEST }, signal, throwOnError: true })).data.filter(isRunning),
  })

/** Asks anew what is under way. */
export const invalidateRunning = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: runningQuery().queryKey })
