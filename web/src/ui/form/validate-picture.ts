import { i18n } from '@/i18n'
import { formatters } from '@/i18n/format'
import { MAX_BYTES } from '@/lib/prepare-image'

/** What the server takes as a logo. */
export const ACCEPTED_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** Why a file cannot be a logo, in the reader's language; undefined for one that may be. */
export function pictureError(file: File): string | undefined {
  if (!ACCEPTED_TYPES.includes(file.type)) return i18n.t('errors.field.not_a_logo')
  if (file.size > MAX_BYTES) {
    const megabytes = formatters(i18n.language).decimal(MAX_BYTES / 1024 / 1024)
    return i18n.t('errors.field.large_image', { megabytes })
  }
  return undefined
}
