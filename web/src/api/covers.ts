import type { QueryClient } from '@tanstack/react-query'

/** Fetches every loaded list of covers again, whatever its filter. Called when a cover was made, changed or restored. */
export function refreshCovers(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => {
      const [head] = queryKey as [{ _id?: string } | undefined]
      return head?._id === 'listCovers'
    },
  })
}
