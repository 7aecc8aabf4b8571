import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { coverFile, coverLists, refreshCovers } from '@/api/covers'
import type { DownloadFormat } from '@/api/downloads'
import { isUnauthorized } from '@/api/error'
import { type CoverOut, changeCover, changeCovers, deleteCover, restoreCover } from '@/api/generated'
import { listCoversInfiniteQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { sentenceOf } from '@/api/sentence'
import { refreshThemes } from '@/api/themes'
import { useFormat } from '@/i18n/format'
import { coverFileName, extensions } from '@/lib/file-name'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/ui/toast-store'
import { type CoverPages, useBinDays } from './covers'

/** The most covers the server changes at once. */
const AT_ONCE = 100

const DELETING = ['gallery', 'delete']
const STARRING = ['gallery', 'star']
type Star = { ids: readonly number[]; starred: boolean }

/** Rewrites the covers of every list in memory. */
export function rewrite(client: QueryClient, change: (covers: CoverOut[]) => CoverOut[]): void {
  client.setQueriesData<CoverPages>({ queryKey: listCoversInfiniteQueryKey() }, (known) => {
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

/** Does one thing with many covers: so many at a time as the server takes. */
export async function changeMany(ids: readonly number[], change: Change): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await changeCovers({ body: { ids: ids.slice(start, start + AT_ONCE), ...change }, throwOnError: true })
  }
}

/**
 * Covers as they will be once what is under way has succeeded: without those being deleted, with their new stars. A
 * call that fails is no longer under way, and its covers are back as they were, where they were.
 */
export function useExpected(covers: readonly CoverOut[]): CoverOut[] {
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
  const client = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (ids: readonly number[]) => {
      const [id] = ids
      if (ids.length === 1 && id !== undefined) await restoreCover({ path: { cover_id: id }, throwOnError: true })
      else await changeMany(ids, { action: 'restore' })
    },
    onSuccess: () => Promise.all([refreshCovers(client), refreshThemes(client, 'none')]),
    onError: (error) => fail(error, t('gallery.failed.restore')),
  })
}

/** Puts covers into the bin, and offers to take them out again. */
export function useDeleteCovers() {
  const { t } = useTranslation()
  const { number } = useFormat()
  const client = useQueryClient()
  const fail = useFailureToast()
  const restore = useRestoreCovers()
  const kept = useBinDays()

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
        await changeMany(
          covers.map(({ id }) => id),
          { action: 'delete' },
        )
    },
    onSuccess: (_, covers) => {
      const gone = new Set(covers.map(({ id }) => id))
      rewrite(client, (known) => known.filter(({ id }) => !gone.has(id)))
      // a list asked for before the deletion would bring the covers back
      if (client.isFetching(coverLists) > 0) void refreshCovers(client)
      void refreshThemes(client)
      toast({
        ...told(covers),
        action: { label: t('gallery.deleted.undo'), onClick: () => restore.mutate([...gone]) },
      })
    },
    onError: (error) => fail(error, t('gallery.failed.delete')),
  })
}

/** Gives covers a star or takes it away. */
export function useStarCovers() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationKey: STARRING,
    // one after the other, so that the last click has the last word
    scope: { id: 'star' },
    mutationFn: async ({ ids, starred }: Star) => {
      const [id] = ids
      if (ids.length === 1 && id !== undefined) {
        await changeCover({ path: { cover_id: id }, body: { starred }, throwOnError: true })
      } else await changeMany(ids, { action: starred ? 'star' : 'unstar' })
    },
    onSuccess: (_, { ids, starred }) => {
      rewrite(client, (covers) => covers.map((cover) => (ids.includes(cover.id) ? { ...cover, starred } : cover)))
      // lists by star that are not on screen are asked for anew when they are
      return client.invalidateQueries({ ...coverLists, refetchType: 'none' })
    },
    onError: (error) => fail(error, t('gallery.failed.star')),
  })
}

/** Saves the picture, as large as the plan has it, under the title of the cover. */
export function useDownloadCover({ id, title }: CoverOut) {
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (format: DownloadFormat) =>
      saveFile(await coverFile(id, format), coverFileName(title, extensions[format])),
    onError: (error) => fail(error, sentenceOf(error)),
  })
}
