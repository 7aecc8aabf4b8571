import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { restoreCoverLettering } from '../generated'
import {
  getCoverDetailsQueryKey,
  getCoverLetteringQueryKey,
  getCoverPicturesOptions,
} from '../generated/@tanstack/react-query.gen'
import { invalidateCovers } from './covers'
import { EACH_VISIT } from './warm'

/** The pictures of a cover, from the first to the last that it was refined to. */
export const picturesQuery = (id: number) =>
  queryOptions({ ...getCoverPicturesOptions({ path: { cover_id: id } }), staleTime: EACH_VISIT })

/** Asks anew for a cover and all that shows it, after another picture became its own. */
export function useInvalidatePictures(id: number) {
  const queryClient = useQueryClient()
  const path = { cover_id: id }
  return () =>
    Promise.all([
      queryClient.invalidateQueries(picturesQuery(id)),
      queryClient.invalidateQueries({ queryKey: getCoverDetailsQueryKey({ path }) }),
      // the studio begins with what is stored
      queryClient.removeQueries({ queryKey: getCoverLetteringQueryKey({ path }) }),
      invalidateCovers(queryClient),
    ])
}

/** Shows an earlier picture again, with the words that stood on it. */
export function useRestorePicture(id: number) {
  const invalidate = useInvalidatePictures(id)
  return useMutation({
    mutationFn: async ({ version, number }: { version: number; number: number }) => {
      const path = { cover_id: id, number }
      await restoreCoverLettering({ path, body: { version }, throwOnError: true })
    },
    onSettled: invalidate,
  })
}
