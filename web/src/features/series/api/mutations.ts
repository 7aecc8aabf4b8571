import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { type LookRunOut, lockLook, releaseLook, type SeriesOut, undoLookRun } from '@/api/generated'
import { getCoverLetteringQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { invalidateCovers } from '@/api/queries/covers'
import { continueRun, startRun } from '@/api/queries/look-runs'
import { invalidateThemes } from '@/api/queries/themes'
import { toast } from '@/ui/overlay/toast-store'
import { seriesQuery } from './queries'

/** Changes the look of a theme: the look of this cover, or none. */
export function useChangeLook(themeId: number) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const path = { theme_id: themeId }
  return useMutation({
    mutationFn: async (coverId: number | null): Promise<SeriesOut> =>
      coverId === null
        ? (await releaseLook({ path, throwOnError: true })).data
        : (await lockLook({ path, body: { coverId }, throwOnError: true })).data,
    onSuccess: (series, coverId) => {
      queryClient.setQueryData(seriesQuery(themeId).queryKey, series)
      toast({ title: t(coverId === null ? 'series.look.released' : 'series.look.lockedNow') })
      void invalidateThemes(queryClient)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('series.look.failed'), description: errorMessage(error), variant: 'destructive' })
    },
  })
}

type Act = { action: 'apply'; coverIds: readonly number[] } | { action: 'continue' } | { action: 'undo' }

/** Applies the look to covers one after the other, goes on where that was interrupted, or puts all of them back. */
export function useLookRun(themeId: number) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const key = seriesQuery(themeId).queryKey

  const show = (run: LookRunOut) => {
    queryClient.setQueryData(key, (series) => series && { ...series, run })
  }

  return useMutation({
    mutationFn: async (act: Act) => {
      if (act.action === 'apply') show(await startRun(themeId, act.coverIds))
      if (act.action === 'undo') show((await undoLookRun({ path: { theme_id: themeId }, throwOnError: true })).data)
      return continueRun(themeId, show)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('series.run.failed'), description: errorMessage(error), variant: 'destructive' })
    },
    onSettled: async () => {
      // the studio begins with what is stored
      const [{ _id }] = getCoverLetteringQueryKey({ path: { cover_id: 0 } })
      queryClient.removeQueries({ queryKey: [{ _id }] })
      await invalidateCovers(queryClient)
    },
  })
}
