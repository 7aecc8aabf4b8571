import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { type CoverOut, changeCover, changeCovers, deleteCover, restoreCover } from '@/api/generated'
import { listCoversInfiniteQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { coverListsFilter, fetchCoverFile, invalidateCovers } from '@/api/queries/covers'
import type { DownloadFormat } from '@/api/queries/download-options'
import { invalidateThemes } from '@/api/queries/themes'
import { useFormat } from '@/i18n/format'
import { saveFile } from '@/lib/browser/save-file'
import { coverFileName, extensions } from '@/lib/cover-file-name'
import { toast } from '@/ui/overlay/toast-store'
import { type CoverPages, useBinRetentionDays } from './queries'

/** The most covers the server changes at once. */
const AT_ONCE = 100

const DELETING = ['gallery', 'delete']
const STARRING = ['gallery', 'star']
type Star = { ids: readonly number[]; starred: boolean }

/** Rewrites the covers of every list in memory. */
export function updateCachedCovers(queryClient: QueryClient, change: (covers: CoverOut[]) => CoverOut[]): void {
  queryClient.setQueriesData<CoverPages>({ queryKey: listCoversInfiniteQueryKey() }, (known) => {
    if (!known) return known
    return { ...known, pages: known.pages.map((page) => ({ ...page, covers: change(page.covers) })) }
  })
}

export function useFailureToast() {
  const { t } = useTranslation()
  return (error: unknown, description: string) => {
    if (!isUnauthorized(error)) toast({ title: t('gallery.failed.title'), description, variant: 'destructive' })
  }
}

type Change = { action: 'delete' | 'restore' | 'star' | 'unstar' } | { action: 'theme'; themeId: number | null }

/** Applies one action to many covers, in batches as large as the server accepts. */
export async function inBatches(ids: readonly number[], change: Change): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await changeCovers({ body: { ids: ids.slice(start, start + AT_ONCE), ...change }, throwOnError: true })
  }
}

/**
 * Covers as they will be once the running mutations have succeeded: without those being deleted, with their new stars. A
 * call that fails is no longer under way, and its covers are back as they were, where they were.
 */
export function useOptimisticCovers(covers: readonly CoverOut[]): CoverOut[] {
  const leaving = useMutationState({
    filters: { mutationKey: DELETING, status: 'pending' },
    select: ({ state }) => (state.variables as readonly CoverOut[]).map(({ id }) => id),
  }).flat()
  const stars = useMutationState({
    filters: { mutationKey: STARRING, status: 'pending' },
    select: ({ state }) => state.variables as Star,
  })
  return covers
    .filter(({ id }) => !leaving.includes(id))
    .map((cover) => {
      const star = stars.findLast(({ ids }) => ids.includes(cover.id))
      return star ? { ...cover, starred: star.starred } : cover
    })
}

/** Takes covers out of the bin. */
export function useRestoreCovers() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (ids: readonly number[]) => {
      const [id] = ids
      if (ids.length === 1 && id !== undefined) await restoreCover({ path: { cover_id: id }, throwOnError: true })
      else await inBatches(ids, { action: 'restore' })
    },
    onSuccess: () => Promise.all([invalidateCovers(queryClient), invalidateThemes(queryClient, 'none')]),
    onError: (error) => fail(error, t('gallery.failed.restore')),
  })
}

/** Puts covers into the bin, and offers to take them out again; `onRestored` is told of those that are back. */
export function useDeleteCovers(onRestored: (covers: readonly CoverOut[]) => void) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const restore = useRestoreCovers()
  const kept = useBinRetentionDays()

  const told = (covers: readonly CoverOut[]) => {
    const [cover] = covers
    const days = kept === undefined ? undefined : { count: kept, formatted: number(kept) }
    if (covers.length !== 1 || !cover) {
      const count = covers.length
      const title = t('gallery.deleted.titles', { count, formatted: number(count) })
      return { title, description: days && t('gallery.deleted.several', days) }
    }
    const title = t('gallery.deleted.title')
    if (!cover.title) return { title, description: days && t('gallery.deleted.untitled', days) }
    return { title, description: days && t('gallery.deleted.named', { ...days, title: cover.title }) }
  }

  return useMutation({
    mutationKey: DELETING,
    mutationFn: async (covers: readonly CoverOut[]) => {
      const [cover] = covers
      if (covers.length === 1 && cover) await deleteCover({ path: { cover_id: cover.id }, throwOnError: true })
      else
        await inBatches(
          covers.map(({ id }) => id),
          { action: 'delete' },
        )
    },
    onSuccess: (_, covers) => {
      const gone = new Set(covers.map(({ id }) => id))
      updateCachedCovers(queryClient, (known) => known.filter(({ id }) => !gone.has(id)))
      // a list asked for before the deletion would bring the covers back
      if (queryClient.isFetching(coverListsFilter) > 0) void invalidateCovers(queryClient)
      void invalidateThemes(queryClient)
      toast({
        ...told(covers),
        action: {
          label: t('gallery.deleted.undo'),
          onClick: () => restore.mutate([...gone], { onSuccess: () => onRestored(covers) }),
        },
      })
    },
    onError: (error) => fail(error, t('gallery.failed.delete')),
  })
}

/** Gives a cover another title. */
export function useRenameCover({ id }: CoverOut) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (title: string) =>
      (await changeCover({ path: { cover_id: id }, body: { title }, throwOnError: true })).data,
    onSuccess: (changed) => {
      updateCachedCovers(queryClient, (known) => known.map((cover) => (cover.id === id ? changed : cover)))
      toast({ title: t('gallery.rename.done') })
    },
    onError: (error) => fail(error, t('gallery.failed.rename')),
  })
}

/** Gives covers a star or takes it away. */
export function useStarCovers() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationKey: STARRING,
    // one after the other, so that the last click has the last word
    scope: { id: 'star' },
    mutationFn: async ({ ids, starred }: Star) => {
      const [id] = ids
      if (ids.length === 1 && id !== undefined) {
        await changeCover({ path: { cover_id: id }, body: { starred }, throwOnError: true })
      } else await inBatches(ids, { action: starred ? 'star' : 'unstar' })
    },
    onSuccess: (_, { ids, starred }) => {
      updateCachedCovers(queryClient, (covers) =>
        covers.map((cover) => (ids.includes(cover.id) ? { ...cover, starred } : cover)),
      )
      // lists by star that are not on screen are asked for anew when they are
      return queryClient.invalidateQueries({ ...coverListsFilter, refetchType: 'none' })
    },
    onError: (error) => fail(error, t('gallery.failed.star')),
  })
}

/** Saves the picture, as large as the plan has it, under the title of the cover. */
export function useDownloadCover({ id, title }: CoverOut) {
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (format: DownloadFormat) =>
      saveFile(await fetchCoverFile(id, format), coverFileName(title, extensions[format])),
    onError: (error) => fail(error, errorMessage(error)),
  })
}
