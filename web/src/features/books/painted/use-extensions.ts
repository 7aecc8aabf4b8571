import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CoverExtensions, extendCover } from '@/api/generated'
import { getCoverExtensionsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useKeyed } from '@/api/queries/generation'
import { invalidateRunning } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'
import { EACH_VISIT } from '@/api/queries/warm'

export type Side = CoverExtensions['extensions'][number]['side']

const extensionsQuery = (coverId: number) => ({
  ...getCoverExtensionsOptions({ path: { cover_id: coverId } }),
  staleTime: EACH_VISIT,
})

/** What was painted beyond the sides of a cover's picture, and who would; undefined until that is known. */
export function useExtensions(coverId: number | undefined): CoverExtensions | undefined {
  return useQuery({ ...extensionsQuery(coverId ?? 0), enabled: coverId !== undefined }).data
}

/** Asks for it. */
export function useExtend(coverId: number) {
  const queryClient = useQueryClient()
  const keyed = useKeyed()
  return useMutation({
    mutationFn: (body: { side: Side; version: number }) =>
      keyed(body, (headers) => extendCover({ path: { cover_id: coverId }, body, headers, throwOnError: true })),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(extensionsQuery(coverId)),
        queryClient.invalidateQueries(userQuery()),
        invalidateRunning(queryClient),
      ]),
  })
}

/** Asks anew what was painted. */
export function useInvalidateExtensions(coverId: number) {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(extensionsQuery(coverId))
}
