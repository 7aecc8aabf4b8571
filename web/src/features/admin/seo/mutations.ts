import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  addSeoKeyword,
  deleteSeoKeyword,
  initializeSeoKeywords,
  type SeoKeywordIn,
  type SeoKeywordOut,
} from '@/api/generated'
import { useFormat } from '@/i18n/format'
import type { Language } from '@/i18n/languages'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { invalidateKeywords } from './queries'

/** Adds a keyword. The form shows what the server refuses. */
export function useAddKeyword(language: Language) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: SeoKeywordIn) => (await addSeoKeyword({ body, throwOnError: true })).data,
    onSuccess: async ({ keyword }) => {
      toast({ title: t('admin.seo.added', { keyword }) })
      await invalidateKeywords(queryClient, language)
    },
  })
}

export function useDeleteKeyword(language: Language) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: SeoKeywordOut) => deleteSeoKeyword({ path: { keyword_id: id }, throwOnError: true }),
    onSuccess: (_, { keyword }) => toast({ title: t('admin.seo.delete.done', { keyword }) }),
    onError: useFailureToast(t('admin.seo.failed.delete')),
    // what another administrator deleted first is gone as well
    onSettled: () => invalidateKeywords(queryClient, language),
  })
}

/** Adds the keywords that a site begins with, as far as they are not there. */
export function useInitializeKeywords(language: Language) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => (await initializeSeoKeywords({ body: { language }, throwOnError: true })).data,
    onSuccess: async ({ created }) => {
      toast({
        title:
          created === 0
            ? t('admin.seo.complete')
            : t('admin.seo.initialized', { count: created, formatted: format.number(created) }),
      })
      await invalidateKeywords(queryClient, language)
    },
    onError: useFailureToast(t('admin.seo.failed.initialize')),
  })
}
