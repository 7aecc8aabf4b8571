import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { previewPrompt, type SettingOut, saveSetting } from '@/api/generated'
import { getGeneratorSettingsQueryKey, getSettingOptions } from '@/api/generated/@tanstack/react-query.gen'
import { EACH_VISIT } from '@/api/queries/warm'
import type { DefaultName, Draft, PromptKey } from './prompt-draft'

const about = (key: PromptKey) => ({ path: { key } })

export const promptQuery = (key: PromptKey) => queryOptions({ ...getSettingOptions(about(key)), staleTime: EACH_VISIT })

/** What a user fills in, and whether with reference pictures. */
type Filling = { filled: Partial<Record<DefaultName, string>>; hasReferenceImages: boolean }

/** The prompt that a draft comes to; only the server can render it. */
export const previewQuery = (key: PromptKey, draft: Draft, filling: Filling) =>
  queryOptions({
    queryKey: ['previewPrompt', key, draft, filling],
    queryFn: async ({ signal }) =>
      (await previewPrompt({ ...about(key), body: { ...draft, ...filling }, signal, throwOnError: true })).data.text,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

/** Stores what is given of a prompt; without a template the one that came with the product holds again. */
export async function savePrompt(
  key: PromptKey,
  changes: Omit<Partial<Draft>, 'promptTemplate'> & { promptTemplate: string | null },
): Promise<SettingOut> {
  return (await saveSetting({ ...about(key), body: { settingKey: key, ...changes }, throwOnError: true })).data
}

/** Puts a saved prompt into the cache and refetches the generator's settings. */
export function applySavedPrompt(queryClient: QueryClient, key: PromptKey, saved: SettingOut): Promise<void> {
  queryClient.setQueryData(promptQuery(key).queryKey, saved)
  return queryClient.invalidateQueries({ queryKey: getGeneratorSettingsQueryKey() })
}
