import { CircleAlert, Download, FileArchive, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArchiveOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'

const MEGABYTE = 1_000_000

type CardProps = { archive: ArchiveOut; onSave: () => void; onClose: () => void }

/** How far the packing of an archive is; it can be given up, and saved again once it is ready. */
export function ArchiveCard({ archive, onSave, onClose }: CardProps) {
  const { t } = useTranslation()
  const { number, decimal } = useFormat()
  const { status, done, total } = archive
  const failed = status === 'failed' || status === 'canceled'
  const ready = status === 'completed'
  const progress = archive.paused
    ? t('common.paused')
    : t('gallery.archive.progress', { count: total, done: number(done), formatted: number(total) })
  const Icon = failed ? CircleAlert : FileArchive
  return (
    <div className="flex w-full max-w-sm items-center gap-3 rounded-xl bg-raised p-3 shadow-2">
      <Icon aria-hidden className={failed ? 'size-5 shrink-0 text-danger' : 'size-5 shrink-0 text-ink-2'} />
      <div className="min-w-0 flex-1">
        <p role="status" className="text-sm">
          {failed && t('gallery.archive.failed')}
          {ready && t('gallery.archive.ready', { size: decimal((archive.bytes ?? 0) / MEGABYTE) })}
          {!failed && !ready && progress}
        </p>
        {!failed && !ready && (
          <progress
            aria-label={progress}
            value={done}
            max={total}
            className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
          />
        )}
      </div>
      {ready && (
        <Button variant="outline" size="sm" onClick={onSave}>
          <Download aria-hidden />
          {t('gallery.archive.save')}
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t(failed || ready ? 'common.close' : 'gallery.archive.cancel')}
        onClick={onClose}
      >
        <X />
      </Button>
    </div>
  )
}
