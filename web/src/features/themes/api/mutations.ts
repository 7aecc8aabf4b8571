import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import {
  changeTheme,
  createTheme,
  createThemeFromCover,
  deleteTheme,
  removeCoverFromTheme,
  type ThemeChange,
  type ThemeIn,
  type ThemeOut,
} from '@/api/generated'
import { getThemeQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { coverListsFilter, invalidateCovers } from '@/api/queries/covers'
import { invalidateThemes } from '@/api/queries/themes'
import { toast } from '@/ui/overlay/toast-store'

/** The colors that a theme begins with. */
export const DEFAULT_COLORS = ['#6366F1', '#F59E0B', '#10B981', '#111827'] as const

type Failure = 'delete' | 'removeCover' | 'style' | 'create'

/** Returns a function that shows a failed change in a toast; the end of a session has a toast of its own. */
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

/** Makes a theme. The form shows what the server refuses. */
export function useCreateTheme() {
  const queryClient = useQueryClient()
  const saved = useSavedToast()
  return useMutation({
    mutationFn: async (body: ThemeIn) => (await createTheme({ body, throwOnError: true })).data,
    onSuccess: () => {
      saved()
      return invalidateThemes(queryClient)
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
export function useCreateNamedTheme() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const saved = useSavedToast()
  return useMutation({
    mutationFn: async (name: string) => (await createTheme({ body: quick(name), throwOnError: true })).data,
    onSuccess: async () => {
      saved()
      await invalidateThemes(queryClient)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('themes.quick.failed'), description: t('themes.failed.create'), variant: 'destructive' })
    },
  })
}

/** Makes a theme after a cover. */
export function useCreateThemeFromCover() {
  const queryClient = useQueryClient()
  const saved = useSavedToast()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (body: { coverId: number; themeName: string }) =>
      (await createThemeFromCover({ body, throwOnError: true })).data,
    onSuccess: () => {
      saved()
      return invalidateCovers(queryClient)
    },
    onError: (error) => fail(error, 'create'),
  })
}

/** Deletes a theme; its covers, which stay, are asked for anew. */
export function useDeleteTheme() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: ({ id }: ThemeOut) => deleteTheme({ path: { theme_id: id }, throwOnError: true }),
    onSuccess: () => {
      toast({ title: t('themes.remove.done'), description: t('themes.remove.doneBody') })
      // its own page is about to be left and must not say that it is gone
      return Promise.all([invalidateThemes(queryClient, 'none'), queryClient.invalidateQueries(coverListsFilter)])
    },
    onError: (error) => fail(error, 'delete'),
  })
}

/** Changes a theme. The form shows what the server refuses. */
export function useChangeTheme({ id }: ThemeOut) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (body: ThemeChange) =>
      (await changeTheme({ path: { theme_id: id }, body, throwOnError: true })).data,
    onSuccess: (changed) => {
      queryClient.setQueryData(getThemeQueryKey({ path: { theme_id: id } }), changed)
      toast({ title: t('themes.detail.updated'), description: t('themes.detail.updatedBody') })
      void invalidateThemes(queryClient)
    },
    onError: (error) => {
      // bad fields are told at the fields
      if (!(error instanceof ApiError && error.status === 422)) fail(error, 'style')
    },
  })
}

/** Takes a cover out of its theme; the cover stays in the gallery. */
export function useRemoveFromTheme() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: (coverId: number) => removeCoverFromTheme({ path: { cover_id: coverId }, throwOnError: true }),
    onSuccess: () => {
      toast({ title: t('themes.detail.removed'), description: t('themes.detail.removedBody') })
      return invalidateCovers(queryClient)
    },
    onError: (error) => fail(error, 'removeCover'),
  })
}
