import { Link } from '@tanstack/react-router'
import { CircleAlert, Download, FileArchive, FileText, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { codeMessage } from '@/api/errors/error-message'
import type { BookOut, PackOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { isOpen } from '../api/queries'
import type { usePack } from '../hooks/use-pack'
import { FindingList } from './finding-list'

const MEGABYTE = 1_000_000

type Props = { book: BookOut; files: ReturnType<typeof usePack>; dirty: boolean }

/** One button that makes the files of all editions; how far they are, what was found in them, and the download. */
export function FilesPanel({ book, files, dirty }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { pack, busy, starting, start, cancel } = files
  const ready = book.editions.filter(({ problems }) => problems.length === 0).length
  const lacking = book.editions.length - ready
  const done = pack?.status === 'completed'
  const stale = done && (dirty || pack.bookVersion !== book.version)
  return (
    <section aria-labelledby="files" className="rounded-xl border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 id="files" className="display text-xl">
            {t('books.files.title')}
          </h2>
          <p className="mt-1 text-sm text-ink-2">
            {book.cover === null
              ? t('books.files.noCover')
              : t('books.files.ready', { count: ready, formatted: number(ready) })}
            {lacking > 0 && ` ${t('books.files.lacking', { count: lacking, formatted: number(lacking) })}`}
          </p>
        </div>
        {!(busy && pack && isOpen(pack)) && (
          <Button
            variant={done && !stale ? 'outline' : 'accent'}
            disabled={book.cover === null || ready === 0}
            pending={starting}
            onClick={start}
          >
            <FileArchive aria-hidden />
            {t(done ? 'books.files.again' : 'books.files.make')}
          </Button>
        )}
      </div>
      {pack && <Progress pack={pack} stale={stale} onCancel={cancel} />}
      {done && <Contents pack={pack} />}
      <PlanHint pack={pack} />
      <p className="mt-4 text-sm">
        <Link to="/preflight" className="text-ink-2 underline underline-offset-4 hover:text-ink">
          {t('books.checkFile')}
        </Link>
      </p>
    </section>
  )
}

type ProgressProps = { pack: PackOut; stale: boolean; onCancel: () => void }

function Progress({ pack, stale, onCancel }: ProgressProps) {
  const { t } = useTranslation()
  const { number, decimal } = useFormat()
  const { status, done, total } = pack
  if (isOpen(pack)) {
    const words = pack.paused
      ? t('common.paused')
      : t('books.files.progress', { count: total, done: number(done), formatted: number(total) })
    return (
      <div className="mt-4 flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p role="status" className="text-sm">
            {words}
          </p>
          <progress
            aria-label={words}
            value={done}
            max={total}
            className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
          />
        </div>
        <Button variant="ghost" onClick={onCancel}>
          <X aria-hidden />
          {t('books.files.cancel')}
        </Button>
      </div>
    )
  }
  if (status === 'failed') {
    return (
      <p role="alert" className="mt-4 flex gap-2 text-sm text-danger">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {(pack.errorCode && codeMessage(pack.errorCode)) ?? t('books.files.failed')}
      </p>
    )
  }
  if (status !== 'completed' || !pack.downloadUrl) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <Button asChild>
        <a href={pack.downloadUrl} download>
          <Download aria-hidden />
          {t('books.files.download', { size: decimal((pack.bytes ?? 0) / MEGABYTE) })}
        </a>
      </Button>
      {stale && <p className="text-sm text-warn">{t('books.files.stale')}</p>}
    </div>
  )
}

function Contents({ pack }: { pack: PackOut }) {
  const { t } = useTranslation()
  const { decimal } = useFormat()
  return (
    <ul className="mt-5 divide-y divide-line border-t border-line">
      {pack.files.map((file) => (
        <li key={file.name} className="py-3">
          <p className="flex items-baseline justify-between gap-3">
            <span className="flex min-w-0 items-baseline gap-2">
              <FileText aria-hidden className="size-4 shrink-0 text-ink-3" />
              <bdi className="min-w-0 break-all text-sm font-medium">{file.name}</bdi>
            </span>
            <span className="shrink-0 text-note text-ink-3 tabular-nums">
              {t('books.files.size', { size: decimal(Math.max(0.01, file.bytes / MEGABYTE)) })}
            </span>
          </p>
          {file.findings.length > 0 && (
            <div className="mt-2 ps-6">
              <FindingList findings={file.findings} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** What the free plan gives, to who has got it. */
function PlanHint({ pack }: { pack: PackOut | undefined }) {
  const { t } = useTranslation()
  if (!pack?.isProof) return null
  return (
    <p className="mt-4 text-sm text-ink-2">
      {t('books.files.free')}{' '}
      <Link to="/subscribe" className="font-medium text-accent underline underline-offset-2">
        {t('books.files.upgrade')}
      </Link>
    </p>
  )
}
