import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  getSeoAnalyticsOptions,
  getSeoContentOptions,
  listSeoKeywordsOptions,
  listSeoKeywordsQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import type { Language } from '@/i18n/languages'

export const keywordsQuery = (language: Language) =>
  queryOptions({ ...listSeoKeywordsOptions({ query: { language } }), staleTime: 0 })

export const contentQuery = (language: Language) => getSeoContentOptions({ query: { language } })
export const analyticsQuery = (language: Language) => getSeoAnalyticsOptions({ query: { language } })

export const refreshKeywords = (queries: QueryClient, language: Language) =>
  queries.invalidateQueries({ queryKey: listSeoKeywordsQueryKey({ query: { language } }) })
