import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import type { Downloads } from '../generated'
import { useUser } from './site'

export const downloadFormats = ['png', 'jpeg', 'webp'] as const
export type DownloadFormat = (typeof downloadFormats)[number]

type Pixels = { width: number; height: number }

const EVERYTHING: Downloads = { formats: [...downloadFormats], longestPx: null }

/** The size of a picture scaled down to a longest edge, as the server does it; one that is smaller stays as it is. */
export function scaledSize(longest: number | null, { width, height }: Pixels): Pixels {
  const scale = longest === null ? 1 : Math.min(1, longest / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/** What the reader may download, and in words how large this cover, or each of several, will be. */
export function useDownloadOptions(cover?: Pixels) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { formats, longestPx } = useUser()?.downloads ?? EVERYTHING
  const size = cover && scaledSize(longestPx, cover)
  const reduced = longestPx !== null && (!cover || size?.width !== cover.width || size.height !== cover.height)

  function quality(): string {
    if (size) {
      const pixels = { width: number(size.width), height: number(size.height) }
      return t(reduced ? 'download.standard' : 'download.full', pixels)
    }
    return longestPx === null ? t('download.fullEach') : t('download.standardEach', { longest: number(longestPx) })
  }

  return {
    formats,
    /** Whether files are smaller than the cover. */
    reduced,
    quality: quality(),
  }
}
