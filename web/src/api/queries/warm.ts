/** So long a navigation waits for the data of the next page, in milliseconds; then the page shows its skeletons. */
const PATIENCE = 200

/**
 * `staleTime` of what each visit asks for anew. What the loader of the same visit has fetched is new, also where a slow
 * machine needs seconds until its page is there to read it.
 */
export const EACH_VISIT = 5_000

/**
 * For loaders: starts with what a page will read, so that it need not wait for its own code first. A failure is left to
 * the page, which has the words for it. Nobody waits on a page that is shown already (`stay`).
 */
export async function warm(cause: 'preload' | 'enter' | 'stay', loading: readonly Promise<unknown>[]): Promise<void> {
  const loaded = Promise.allSettled(loading)
  if (cause === 'stay') return
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}
