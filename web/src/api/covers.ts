import type { QueryClient } from '@tanstack/react-query'
import type { DownloadFormat } from './downloads'
import { listCoversQueryKey } from './generated/@tanstack/react-query.gen'
import { send } from './http'
import { refreshThemes } from './themes'

/** Matches every list of covers, however filtered and sorted. */
export const coverLists = { queryKey: listCoversQueryKey() }

/** Asks anew for covers and for the themes that show them. */
export const refreshCovers = (client: QueryClient) =>
  Promise.all([client.invalidateQueries(coverLists), refreshThemes(client)])

/** The picture of a cover as a file, as large as the reader's plan has it. */
export async function coverFile(id: number, format: DownloadFormat): Promise<Blob> {
  const answer = await send(`/api/covers/${id}/download?format=${format}`)
  return answer.blob()
}
