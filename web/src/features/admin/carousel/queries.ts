import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listSlidesOptions, listSlidesQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { carouselQuery } from '@/api/queries'

/** The covers of the carousel, inactive ones too; asked for anew by each visit. */
export const slidesQuery = () => queryOptions({ ...listSlidesOptions(), staleTime: 0 })

/** After a change: what administrators see, and what the landing page shows. */
export async function refreshSlides(queries: QueryClient): Promise<void> {
  const changed = [listSlidesQueryKey(), carouselQuery().queryKey]
  await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })))
}
