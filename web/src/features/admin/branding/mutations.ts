import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import { type SiteStats, saveSetting, type UploadBrandingData } from '@/api/generated'
import {
  getBrandingQueryKey,
  getSiteStatsOptions,
  getSiteStatsQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { upload } from '@/api/http/upload'
import { EACH_VISIT } from '@/api/queries/warm'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'

/** What a picture is for. */
export type PictureUse = UploadBrandingData['body']['type']

export type Stat = keyof SiteStats

const settings = { logo: 'logo_url', favicon: 'favicon_url', 'footer-logo': 'footer_logo_url' } as const

/** The landing page's figures, refetched each time an administrator opens the form. */
export const statsQuery = () => queryOptions({ ...getSiteStatsOptions(), staleTime: EACH_VISIT })

const refreshBranding = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: getBrandingQueryKey() })

type Upload = { file: File; onProgress: (part: number) => void }

/** Sends a picture and shows it at once wherever it stands; `onObjection` hears what is wrong with the file. */
export function useUploadPicture(use: PictureUse, onObjection: (words: string) => void) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ file, onProgress }: Upload) => {
      const form = new FormData()
      form.append('type', use)
      form.append('file', file)
      return upload('/api/admin/upload-branding', form, onProgress)
    },
    onSuccess: async () => {
      await refreshBranding(queryClient)
      toast({ title: t('admin.branding.updated') })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      const words = error instanceof ApiError ? fieldMessages(error).file : undefined
      if (words) onObjection(words)
      toast({
        title: t('admin.branding.failed.upload'),
        description: t('admin.branding.failed.again'),
        variant: 'destructive',
      })
    },
  })
}

/** Takes an uploaded picture away, so that the default shows again. */
export function useRemovePicture(use: PictureUse) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => saveSetting({ path: { key: settings[use] }, body: { textValue: null }, throwOnError: true }),
    onSuccess: async () => {
      await refreshBranding(queryClient)
      toast({ title: t('admin.branding.updated') })
    },
    onError: useFailureToast(t('admin.branding.failed.update')),
  })
}

/** Saves those figures that were changed; an empty one is hidden. */
export function useSaveStats() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (changed: Partial<Record<Stat, string>>) => {
      for (const [name, textValue] of Object.entries(changed)) {
        await saveSetting({ path: { key: `stats_${name}` }, body: { textValue }, throwOnError: true })
      }
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: getSiteStatsQueryKey() })
      toast({ title: t('admin.branding.updated') })
    },
    onError: useFailureToast(t('admin.branding.failed.update')),
  })
}
