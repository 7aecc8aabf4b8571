import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { coverLists, refreshCovers } from '@/api/covers'
import { isUnauthorized } from '@/api/error'
import {
  changeTheme,
  createTheme,
  createThemeFromCover,
  deleteTheme,
  removeCoverFromTheme,
  type ThemeIn,
  type ThemeOut,
} from '@/api/generated'
import { getThemeQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { refreshThemes } from '@/api/themes'
import { toast } from '@/ui/toast-store'

/** The colours that a theme begins with. */
export const DEFAULT_COLORS = ['#6366F1', '#F59E0B', '#10B981', '#111827'] as const

type Failure = 'delete' | 'take' | 'style' | 'create'

/** Says that a change was not made; the end of a session has its own words elsewhere. */
function useFailureToast() {
  const { t } = useTranslation()
  return (error: unknown, what: Failure) => {
    if (isUnauthorized(error)) return
    toast({ title: t('themes.failed.title'), description: t(`themes.failed.${what}`), variant: 'destructive' })
  }
}

function useSavedToast() {
  const { t } = useTranslation()
  return () => toast({ title: t('themes.saved.title'), description: t('themes.saved.body') })
}

/** Makes a theme. What the server objects to is for the form to tell. */
export function useCreateTheme() {
  const client = useQueryClient()
  const saved = useSavedToast()
  return useMutation({
    mutationFn: async (body: ThemeIn) => (await createTheme({ body, throwOnError: true })).data,
    onSuccess: () => {
      saved()
      return refreshThemes(client)
    },
  })
}

// the words of a theme that was made with nothing but a name; they are part of the theme, in one language
const quick = (name: string): ThemeIn => ({
  name,
  description: `Custom theme - ${name}`,
  colors: [...DEFAULT_COLORS],
  stylePrompt: `Create covers in the style of ${name}`,
})

/** Makes a theme of a name alone. */
export function useQuickTheme() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const saved = useSavedToast()
  return useMutation({
    mutationFn: async (name: string) => (await createTheme({ body: quick(name), throwOnError: true })).data,
    onSuccess: async () => {
      saved()
      await refreshThemes(client)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('themes.quick.failed'), description: t('themes.failed.create'), variant: 'destructive' })
    },
  })
}

/** Makes a theme after a cover. */
export function useThemeFromCover() {
  const client = useQueryClient()
  const saved = useSavedToast()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (body: { coverId: number; themeName: string }) =>
      (await createThemeFromCover({ body, throwOnError: true })).data,
    onSuccess: () => {
      saved()
      return refreshCovers(client)
    },
    onError: (error) => fail(error, 'create'),
  })
}

/** Deletes a theme; its covers, which stay, are asked for anew. */
export function useDeleteTheme() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: ({ id }: ThemeOut) => deleteTheme({ path: { theme_id: id }, throwOnError: true }),
    onSuccess: () => {
      toast({ title: t('themes.remove.done'), description: t('themes.remove.doneBody') })
      // its own page is about to be left and must not say that it is gone
      return Promise.all([refreshThemes(client, 'none'), client.invalidateQueries(coverLists)])
    },
    onError: (error) => fail(error, 'delete'),
  })
}

export function useChangeStyle({ id }: ThemeOut) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (stylePrompt: string) =>
      (await changeTheme({ path: { theme_id: id }, body: { stylePrompt }, throwOnError: true })).data,
    onSuccess: (changed) => {
      client.setQueryData(getThemeQueryKey({ path: { theme_id: id } }), changed)
      toast({ title: t('themes.detail.updated'), description: t('themes.detail.updatedBody') })
      void refreshThemes(client)
    },
    onError: (error) => fail(error, 'style'),
  })
}

/** Takes a cover out of its theme; the cover stays in the gallery. */
export function useTakeOut() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: (coverId: number) => removeCoverFromTheme({ path: { cover_id: coverId }, throwOnError: true }),
    onSuccess: () => {
      toast({ title: t('themes.detail.taken'), description: t('themes.detail.takenBody') })
      return refreshCovers(client)
    },
    onError: (error) => fail(error, 'take'),
  })
}
