import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refineCover } from '@/api/generated'
import { useKeyed } from '@/api/queries/generation'
import { picturesQuery } from '@/api/queries/pictures'
import { invalidateRunning } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'

type Wanted = { change: string; version: number; mask: string | null }

/** Asks for a refinement. */
export function useRefine(id: number) {
  const queryClient = useQueryClient()
  const keyed = useKeyed()
  return useMutation({
    mutationFn: (body: Wanted) =>
      keyed(body, (headers) => refineCover({ path: { cover_id: id }, body, headers, throwOnError: true })),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(picturesQuery(id)),
        queryClient.invalidateQueries(userQuery()),
        invalidateRunning(queryClient),
      ]),
  })
}
