import type { QueryClient } from '@tanstack/react-query'
import { warm } from '@/api/queries/warm'

type Loading = { context: { queryClient: QueryClient; isAdmin: boolean }; cause: 'preload' | 'enter' | 'stay' }

/** Loads what a page reads, for administrators only: the server denies it to all others. */
export function warmPage(
  { context: { queryClient, isAdmin }, cause }: Loading,
  load: (queryClient: QueryClient) => readonly Promise<unknown>[],
): Promise<void> | undefined {
  return isAdmin ? warm(cause, load(queryClient)) : undefined
}
