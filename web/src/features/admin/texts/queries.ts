import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { previewPublicText, type SavedTextOut, savePublicAddresses, savePublicText } from '@/api/generated'
import {
  getPublicAddressesOptions,
  getPublicLinksQueryKey,
  getPublicTextQueryKey,
  listPublicTextsOptions,
  listPublicTextsQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import type { Language } from '@/i18n/languages'

export type TextName = SavedTextOut['page']

/** All pages in a language, as they are stored. */
export const textsQuery = (language: Language) =>
  queryOptions({ ...listPublicTextsOptions({ query: { language } }), staleTime: EACH_VISIT })

/** The addresses in the footer. */
export const addressesQuery = () => queryOptions({ ...getPublicAddressesOptions(), staleTime: EACH_VISIT })

/** A text that is being written, as visitors would see it; the last one stays until the new one is there. */
export const previewQuery = (language: Language, body: string) =>
  queryOptions({
    queryKey: ['previewPublicText', language, body],
    queryFn: async ({ signal }) =>
      (await previewPublicText({ query: { language }, body: { body }, signal, throwOnError: true })).data.html,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

export const saveText = async (page: TextName, language: Language, body: string) =>
  (await savePublicText({ path: { page, language }, body: { body }, throwOnError: true })).data

export const saveAddresses = async (body: NonNullable<Parameters<typeof savePublicAddresses>[0]>['body']) =>
  (await savePublicAddresses({ body, throwOnError: true })).data

/** Has everything read anew that shows texts or addresses. */
export async function refreshTexts(queryClient: QueryClient): Promise<void> {
  const shown = [
    listPublicTextsQueryKey(),
    getPublicTextQueryKey({ query: { page: 'help' } }),
    getPublicLinksQueryKey(),
  ]
  const ids = shown.map(([{ _id }]) => _id)
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) => ids.includes((first as { _id?: string } | undefined)?._id ?? ''),
  })
}
