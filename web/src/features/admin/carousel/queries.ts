import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listSlidesOptions, listSlidesQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { carouselQuery } from '@/api/queries/site'
import { EACH_VISIT } from '@/api/queries/warm'

/** The covers of the carousel, inactive ones too; asked for anew by each visit. */
export const slidesQuery = () => queryOptions({ ...listSlidesOptions(), staleTime: EACH_VISIT })

/** Refetches the slides for administrators and for the landing page. */
export async function invalidateSlides(queryClient: QueryClient): Promise<void> {
  const changed = [listSlidesQueryKey(), carouselQuery().queryKey]
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
