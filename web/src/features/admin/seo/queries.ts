import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  getSeoAnalyticsOptions,
  getSeoContentOptions,
  listSeoKeywordsOptions,
  listSeoKeywordsQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import type { Language } from '@/i18n/languages'

export const keywordsQuery = (language: Language) =>
  queryOptions({ ...listSeoKeywordsOptions({ query: { language } }), staleTime: EACH_VISIT })

/** What the other two tabs will show; loaded with the page. */
export const contentQuery = (language: Language) => getSeoContentOptions({ query: { language } })
export const analyticsQuery = (language: Language) => getSeoAnalyticsOptions({ query: { language } })

export const invalidateKeywords = (queryClient: QueryClient, language: Language) =>
  queryClient.invalidateQueries({ queryKey: listSeoKeywordsQueryKey({ query: { language } }) })
