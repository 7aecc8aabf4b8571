import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import { type SiteStats, saveSetting, type UploadBrandingData } from '@/api/generated'
import {
  getBrandingQueryKey,
  getSiteStatsOptions,
  getSiteStatsQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { sentencesOfFields } from '@/api/sentence'
import { upload } from '@/api/upload'
import { toast } from '@/ui/toast-store'
import { useFailureToast } from '../failure-toast'

/** What a picture is for. */
export type Use = UploadBrandingData['body']['type']

export type Figure = keyof SiteStats

const settings = { logo: 'logo_url', favicon: 'favicon_url', 'footer-logo': 'footer_logo_url' } as const

/** The landing page's figures, asked for anew by whoever edits them. */
export const figuresQuery = () => queryOptions({ ...getSiteStatsOptions(), staleTime: 0 })

const refreshBranding = (queries: QueryClient) => queries.invalidateQueries({ queryKey: getBrandingQueryKey() })

/** Somebody's rights ended while they were at it. */
const isForbidden = (error: unknown) => error instanceof ApiError && error.status === 403

type Told = {
  /** Hears that the server takes this from administrators only. */
  onDenied: () => void
}

type Upload = { file: File; onProgress: (part: number) => void }

/** Sends a picture and shows it at once wherever it stands; `onObjection` hears what is wrong with the file. */
export function useUpload(use: Use, { onDenied, onObjection }: Told & { onObjection: (words: string) => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ file, onProgress }: Upload) => {
      const form = new FormData()
      form.append('type', use)
      form.append('file', file)
      return upload('/api/admin/upload-branding', form, onProgress)
    },
    onSuccess: async () => {
      await refreshBranding(queries)
      toast({ title: t('admin.branding.updated') })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      if (isForbidden(error)) onDenied()
      const words = error instanceof ApiError ? sentencesOfFields(error).file : undefined
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
export function useRemove(use: Use, { onDenied }: Told) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const onFailure = useUpdateFailure(onDenied)
  return useMutation({
    mutationFn: () => saveSetting({ path: { key: settings[use] }, body: { textValue: null }, throwOnError: true }),
    onSuccess: async () => {
      await refreshBranding(queries)
      toast({ title: t('admin.branding.updated') })
    },
    onError: onFailure,
  })
}

/** Saves those figures that were changed; an empty one is hidden. */
export function useSaveFigures({ onDenied }: Told) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const onFailure = useUpdateFailure(onDenied)
  return useMutation({
    mutationFn: async (changed: Partial<Record<Figure, string>>) => {
      for (const [name, textValue] of Object.entries(changed)) {
        await saveSetting({ path: { key: `stats_${name}` }, body: { textValue }, throwOnError: true })
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: getSiteStatsQueryKey() })
      toast({ title: t('admin.branding.updated') })
    },
    onError: onFailure,
  })
}

function useUpdateFailure(onDenied: () => void) {
  const { t } = useTranslation()
  const fail = useFailureToast(t('admin.branding.failed.update'))
  return (error: unknown) => {
    if (isForbidden(error)) onDenied()
    fail(error)
  }
}
