import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '@/api/errors/api-error'
import { getPublicText, type PublicTextOut } from '@/api/generated'
import { getPublicLinksOptions, getPublicTextQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { i18n, PAGES_NAMESPACE } from '@/i18n'

export type TextName = PublicTextOut['page']

const about = (page: TextName, language: string) => ({ query: { page, language } })

/** A page's text in a language; null for a page that says nothing. */
export const textQuery = (page: TextName, language: string) =>
  queryOptions({
    queryKey: getPublicTextQueryKey(about(page, language)),
    queryFn: async ({ signal }): Promise<PublicTextOut | null> => {
      try {
        return (await getPublicText({ ...about(page, language), signal, throwOnError: true })).data
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

/** What the route of a page waits for. */
export async function loadText(queryClient: QueryClient, page: TextName): Promise<void> {
  await Promise.all([
    i18n.loadNamespaces(PAGES_NAMESPACE),
    queryClient.ensureQueryData(textQuery(page, i18n.language)),
    page === 'contact' && queryClient.ensureQueryData(getPublicLinksOptions()),
  ])
}
