import type { QueryClient } from '@tanstack/react-query'
import { listCoversQueryKey } from '../generated/@tanstack/react-query.gen'
import { send } from '../http/send'
import type { DownloadFormat } from './download-options'
import { invalidateThemes } from './themes'

/** Matches every list of covers, however filtered and sorted. */
export const coverListsFilter = { queryKey: listCoversQueryKey() }

/** Refetches covers and the themes that show them. */
export const invalidateCovers = (queryClient: QueryClient) =>
  Promise.all([queryClient.invalidateQueries(coverListsFilter), invalidateThemes(queryClient)])

/** The picture of a cover as a file, as large as the reader's plan has it. */
export async function fetchCoverFile(id: number, format: DownloadFormat): Promise<Blob> {
  const answer = await send(`/api/covers/${id}/download?format=${format}`)
  return answer.blob()
}
