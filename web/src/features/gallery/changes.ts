import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { coverFile, coverLists, refreshCovers } from '@/api/covers'
import { isUnauthorized } from '@/api/error'
import { type CoverOut, changeCover, deleteCover, restoreCover } from '@/api/generated'
import { listCoversInfiniteQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { sentenceOf } from '@/api/sentence'
import { coverFileName } from '@/lib/file-name'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/ui/toast-store'
import type { CoverPages } from './covers'

export const downloadFormats = ['png', 'jpeg', 'webp'] as const
type DownloadFormat = (typeof downloadFormats)[number]

const extensions: Record<DownloadFormat, string> = { png: 'png', jpeg: 'jpg', webp: 'webp' }

const DELETING = ['gallery', 'delete']
const STARRING = ['gallery', 'star']
type Star = { id: number; starred: boolean }

/** Rewrites the covers of every list in memory. */
function rewrite(client: QueryClient, change: (covers: CoverOut[]) => CoverOut[]): void {
  client.setQueriesData<CoverPages>({ queryKey: listCoversInfiniteQueryKey() }, (known) => {
    if (!known) return known
    return { ...known, pages: known.pages.map((page) => ({ ...page, covers: change(page.covers) })) }
  })
}

function useFailureToast() {
  const { t } = useTranslation()
  return (error: unknown, description: string) => {
    if (!isUnauthorized(error)) toast({ title: t('gallery.failed.title'), description, variant: 'destructive' })
  }
}

/**
 * Covers as they will be once what is under way has succeeded: without those being deleted, with their new stars. A
 * call that fails is no longer under way, and its cover is back as it was, where it was.
 */
export function useExpected(covers: readonly CoverOut[]): CoverOut[] {
  const leaving = useMutationState({
    filters: { mutationKey: DELETING, status: 'pending' },
    select: ({ state }) => (state.variables as CoverOut).id,
  })
  const stars = useMutationState({
    filters: { mutationKey: STARRING, status: 'pending' },
    select: ({ state }) => state.variables as Star,
  })
  return covers
    .filter(({ id }) => !leaving.includes(id))
    .map((cover) => ({ ...cover, ...stars.findLast(({ id }) => id === cover.id) }))
}

/** Puts a cover into the bin, and offers to take it out again. */
export function useDeleteCover() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const fail = useFailureToast()
  const restore = useMutation({
    mutationFn: (id: number) => restoreCover({ path: { cover_id: id }, throwOnError: true }),
    onSuccess: () => refreshCovers(client),
    onError: (error) => fail(error, t('gallery.failed.restore')),
  })
  return useMutation({
    mutationKey: DELETING,
    mutationFn: ({ id }: CoverOut) => deleteCover({ path: { cover_id: id }, throwOnError: true }),
    onSuccess: (_, { id, title }) => {
      rewrite(client, (covers) => covers.filter((cover) => cover.id !== id))
      // a list asked for before the deletion would bring the cover back
      if (client.isFetching(coverLists) > 0) void refreshCovers(client)
      toast({
        title: t('gallery.deleted.title'),
        description: title ? t('gallery.deleted.named', { title }) : t('gallery.deleted.untitled'),
        action: { label: t('gallery.deleted.undo'), onClick: () => restore.mutate(id) },
      })
    },
    onError: (error) => fail(error, t('gallery.failed.delete')),
  })
}

export function useStarCover() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationKey: STARRING,
    // one after the other, so that the last click has the last word
    scope: { id: 'star' },
    mutationFn: async ({ id, starred }: Star) =>
      (await changeCover({ path: { cover_id: id }, body: { starred }, throwOnError: true })).data,
    onSuccess: (changed) => {
      rewrite(client, (covers) => covers.map((cover) => (cover.id === changed.id ? changed : cover)))
      // lists by star that are not on screen are asked for anew when they are
      return client.invalidateQueries({ ...coverLists, refetchType: 'none' })
    },
    onError: (error) => fail(error, t('gallery.failed.star')),
  })
}

/** Saves the print-size picture under the title of the cover. */
export function useDownloadCover({ id, title }: CoverOut) {
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (format: DownloadFormat) =>
      saveFile(await coverFile(id, format), coverFileName(title, extensions[format])),
    onError: (error) => fail(error, sentenceOf(error)),
  })
}
