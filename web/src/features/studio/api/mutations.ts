import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type CoverLettering,
  type Lettering,
  restoreCoverLettering,
  saveCoverLettering,
  suggestCoverLettering,
} from '@/api/generated'
import { invalidateCovers } from '@/api/queries/covers'
import type { Property } from '../model/blocks'
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

type Change = { version: number; lettering: Lettering | null; continues: boolean }

/** Saves the words of a cover, made from a version of them, as a version of its own or of the step that made that. */
export function useSaveLettering(id: number) {
  const takeOver = useTakeOver(id)
  return useMutation({
    mutationFn: async ({ version, lettering, continues }: Change) => {
      const body = { version, lettering: toSave(lettering), continues }
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

/** Lets the press choose some properties of a block anew, on the picture of a cover. */
export function useFreeProperties(id: number) {
  return useMutation({
    mutationFn: async ({
      lettering,
      index,
      properties,
    }: {
      lettering: Lettering
      index: number
      properties: Property[]
    }) => {
      const body = { lettering, freed: { index, properties } }
      const { data } = await suggestCoverLettering({ path: { cover_id: id }, body, throwOnError: true })
      return data
    },
  })
}
