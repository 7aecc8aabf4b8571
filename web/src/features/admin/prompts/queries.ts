import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { previewPrompt, type SettingOut, saveSetting } from '@/api/generated'
import { getGeneratorSettingsQueryKey, getSettingOptions } from '@/api/generated/@tanstack/react-query.gen'
import type { DefaultName, Draft, PromptKey } from './draft'

const about = (key: PromptKey) => ({ path: { key } })

export const promptQuery = (key: PromptKey) => queryOptions({ ...getSettingOptions(about(key)), staleTime: 0 })

/** What somebody fills in, and whether with pictures. */
type Filling = { filled: Partial<Record<DefaultName, string>>; hasReferenceImages: boolean }

/** What an image service would be told by a draft; only the server knows. */
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

/** After a prompt was stored: here, and in the form that people fill in. */
export function takeOver(queries: QueryClient, key: PromptKey, saved: SettingOut): Promise<void> {
  queries.setQueryData(promptQuery(key).queryKey, saved)
  return queries.invalidateQueries({ queryKey: getGeneratorSettingsQueryKey() })
}
