import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { addCoverToTheme, type CoverOut, createThemeFromCover, type ThemeOut } from '@/api/generated'
import { coverListsFilter, invalidateCovers } from '@/api/queries/covers'
import { invalidateThemes } from '@/api/queries/themes'
import { useFormat } from '@/i18n/format'
import { toast } from '@/ui/overlay/toast-store'
import { inBatches, updateCachedCovers, useFailureToast } from './mutations'

type Choice = { covers: readonly CoverOut[]; theme: Pick<ThemeOut, 'id' | 'name' | 'isSeries'> }
type Wish = { covers: readonly CoverOut[]; name: string }

function useMoved() {
  const queryClient = useQueryClient()
  return (covers: readonly CoverOut[], themeId: number) => {
    const moved = new Set(covers.map(({ id }) => id))
    updateCachedCovers(queryClient, (known) =>
      known.map((cover) => (moved.has(cover.id) ? { ...cover, themeId } : cover)),
    )
    // lists of one theme that are not on screen are asked for anew when they are
    void queryClient.invalidateQueries({ ...coverListsFilter, refetchType: 'none' })
    void invalidateThemes(queryClient)
  }
}

/**
 * Returns a function that lets covers take on the look of the series that they came into. One that came alone has it
 * already. What stays undone, the page of the theme tells, and does.
 */
function useDress() {
  const queryClient = useQueryClient()
  return async (covers: readonly CoverOut[], themeId: number) => {
    if (covers.length > 1) {
      const ids = covers.map(({ id }) => id)
      // few have series, and the first page is not to wait for what they need
      await import('@/api/queries/look-runs')
        .then(async ({ startRun, continueRun }) => {
          await startRun(themeId, ids)
          await continueRun(themeId)
        })
        .catch(() => undefined)
    }
    await invalidateCovers(queryClient)
  }
}

/** Lets covers belong to a theme. */
export function useAddToTheme(done: () => void) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const fail = useFailureToast()
  const moved = useMoved()
  const dress = useDress()
  return useMutation({
    mutationFn: async ({ covers, theme }: Choice) => {
      const [cover] = covers
      if (covers.length === 1 && cover) {
        await addCoverToTheme({ path: { cover_id: cover.id }, body: { themeId: theme.id }, throwOnError: true })
      } else
        await inBatches(
          covers.map(({ id }) => id),
          { action: 'theme', themeId: theme.id },
        )
    },
    onSuccess: (_, { covers, theme }) => {
      moved(covers, theme.id)
      if (theme.isSeries) void dress(covers, theme.id)
      const count = covers.length
      toast({
        title: t('gallery.theme.added'),
        description: t('gallery.theme.addedTo', { count, formatted: number(count), name: theme.name }),
      })
      done()
    },
    onError: (error) => fail(error, t('gallery.failed.addToTheme')),
  })
}

/** Makes a theme after the first of some covers and lets all of them belong to it. */
export function useCreateThemeFromCovers(done: () => void) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const moved = useMoved()
  return useMutation({
    mutationFn: async ({ covers, name }: Wish) => {
      const [first, ...others] = covers
      if (!first) throw new Error('a theme needs a cover')
      const body = { coverId: first.id, themeName: name }
      const { data: theme } = await createThemeFromCover({ body, throwOnError: true })
      moved([first], theme.id)
      if (others.length > 0)
        await inBatches(
          others.map(({ id }) => id),
          { action: 'theme', themeId: theme.id },
        )
      return theme
    },
    onSuccess: ({ id, name }, { covers }) => {
      moved(covers, id)
      toast({ title: t('gallery.theme.created'), description: t('gallery.theme.createdAs', { name }) })
      done()
    },
    onError: (error) => {
      void invalidateThemes(queryClient)
      fail(error, t('gallery.failed.createTheme'))
    },
  })
}
