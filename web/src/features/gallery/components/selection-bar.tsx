import { Columns2, Download, Palette, Star, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import type { DownloadFormat } from '@/api/queries/download-options'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Tooltip } from '@/ui/overlay/tooltip'
import { MAX_ARCHIVE_COVERS } from '../hooks/use-archive'
import type { Selection } from '../hooks/use-selection'
import { FormatMenu } from './cover/cover-actions'

type BarProps = {
  selection: Selection
  /** An archive is being started or packed: one at a time. */
  packing: boolean
  onStar: (covers: readonly CoverOut[], starred: boolean) => void
  onTheme: (covers: readonly CoverOut[]) => void
  onPack: (covers: readonly CoverOut[], format: DownloadFormat) => void
  onDelete: (covers: readonly CoverOut[]) => void
  onCompare?: (covers: readonly [CoverOut, CoverOut]) => void
}

/** What can be done with the covers that are chosen. */
export function SelectionBar({ selection, packing, onStar, onTheme, onPack, onDelete, onCompare }: BarProps) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { chosen } = selection
  const none = chosen.length === 0
  const starred = !none && chosen.every((cover) => cover.starred)
  const [one, other, ...more] = chosen
  const pair = one && other && more.length === 0 ? ([one, other] as const) : undefined
  const download = { isPending: packing, mutate: (format: DownloadFormat) => onPack(chosen, format) }
  return (
    <div
      role="toolbar"
      aria-label={t('gallery.select.bar')}
      className="flex max-w-full items-center gap-1 rounded-xl bg-raised p-1.5 shadow-2"
    >
      <p aria-live="polite" className="px-2.5 text-sm whitespace-nowrap tabular-nums">
        {t('gallery.select.count', { count: chosen.length, formatted: number(chosen.length) })}
      </p>
      <Act
        label={t(starred ? 'gallery.unstar' : 'gallery.star')}
        disabled={none}
        onClick={() => onStar(chosen, !starred)}
      >
        <Star className={cn(starred && 'fill-accent text-accent')} />
      </Act>
      <Act label={t('gallery.theme.add')} disabled={none} onClick={() => onTheme(chosen)}>
        <Palette />
      </Act>
      <FormatMenu download={download}>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('gallery.archive.start')}
          title={t('gallery.archive.start')}
          disabled={none || packing || chosen.length > MAX_ARCHIVE_COVERS}
        >
          <Download />
        </Button>
      </FormatMenu>
      {onCompare && (
        <Act label={t('gallery.select.compare')} disabled={!pair} onClick={() => pair && onCompare(pair)}>
          <Columns2 />
        </Act>
      )}
      <Act label={t('gallery.delete')} disabled={none} danger onClick={() => onDelete(chosen)}>
        <Trash2 />
      </Act>
      <span aria-hidden className="mx-1 h-6 w-px bg-line" />
      <Act label={t('gallery.select.end')} onClick={selection.end}>
        <X />
      </Act>
    </div>
  )
}

type ActProps = { label: string; disabled?: boolean; danger?: boolean; onClick: () => void; children: ReactNode }

function Act({ label, disabled, danger, onClick, children }: ActProps) {
  return (
    <Tooltip text={label}>
      <Button
        variant="ghost"
        size="icon"
        aria-label={label}
        disabled={disabled}
        className={cn(danger && 'hover:text-danger')}
        onClick={onClick}
      >
        {children}
      </Button>
    </Tooltip>
  )
}
