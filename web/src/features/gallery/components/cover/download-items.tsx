import { Link } from '@tanstack/react-router'
import { Crown, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { type DownloadFormat, downloadFormats, useDownloadOptions } from '@/api/queries/download-options'
import { MenuItem, MenuLabel } from '@/ui/overlay/menu'

export type Downloading = { isPending: boolean; mutate: (format: DownloadFormat) => void }

/** The kinds of file that can be had now, then what there is on Pro; without a cover they are for several. */
export function DownloadItems({ download, cover }: { download: Downloading; cover?: CoverOut | undefined }) {
  const { t } = useTranslation()
  const { formats, reduced, quality } = useDownloadOptions(cover)
  const words = (format: DownloadFormat) =>
    t(format === 'png' && reduced ? 'gallery.download.screen' : `gallery.download.${format}`)
  return (
    <>
      <MenuLabel>{quality}</MenuLabel>
      {downloadFormats
        .filter((format) => formats.includes(format))
        .map((format) => (
          <MenuItem key={format} disabled={download.isPending} onSelect={() => download.mutate(format)}>
            <Download aria-hidden />
            {words(format)}
          </MenuItem>
        ))}
      {downloadFormats
        .filter((format) => !formats.includes(format))
        .map((format) => (
          <OnPro key={format}>{t(`gallery.download.${format}`)}</OnPro>
        ))}
      {reduced && <OnPro>{t('gallery.download.print')}</OnPro>}
    </>
  )
}

function OnPro({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <MenuItem asChild>
      <Link to="/subscribe">
        <Crown aria-hidden className="text-accent" />
        {children} <span className="ms-auto ps-4 text-xs text-ink-2">{t('landing.pricing.pro.name')}</span>
      </Link>
    </MenuItem>
  )
}
