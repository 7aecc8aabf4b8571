import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CoverLettering, type Lettering, restoreCoverLettering, saveCoverLettering } from '@/api/generated'
import { invalidateCovers } from '@/api/queries/covers'
import { toSave } from '../model/lettering'
import { letteringQuery } from './queries'

/** Takes over what the server has stored: here, and in every list that shows the cover. */
function useTakeOver(id: number) {
  const queryClient = useQueryClient()
  return (stored: CoverLettering) => {
    queryClient.setQueryData(letteringQuery(id).queryKey, stored)
    void invalidateCovers(queryClient)
  }
}

/** Saves the words of a cover, made from a version of them. */
export function useSaveLettering(id: number) {
  const takeOver = useTakeOver(id)
  return useMutation({
    mutationFn: async ({ version, lettering }: { version: number; lettering: Lettering | null }) => {
      const body = { version, lettering: toSave(lettering) }
      const { data } = await saveCoverLettering({ path: { cover_id: id }, body, throwOnError: true })
      return data
    },
    onSuccess: takeOver,
  })
}

/** Shows an earlier version again. */
export function useRestoreLettering(id: number) {
  const takeOver = useTakeOver(id)
  return useMutation({
    mutationFn: async ({ version, number }: { version: number; number: number }) => {
      const path = { cover_id: id, number }
      const { data } = await restoreCoverLettering({ path, body: { version }, throwOnError: true })
      return data
    },
    onSuccess: takeOver,
  })
}
